/** The groups of files that import each other, directly or through others (strongly connected components). */
export function findCircles(imports: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const place = order.size;
    order.set(file, place);
    lowest.set(file, place);
    open.push(file);
    for (const target of imports.get(file) ?? []) {
      if (order.has(target) && !open.includes(target)) continue;
      const reached = order.get(target) ?? visit(target);
      lowest.set(file, Math.min(lowest.get(file) ?? place, lowest.get(target) ?? reached));
    }
    if (lowest.get(file) === place) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) circles.push(circle.toSorted());
    }
    return place;
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}

/** The targets that a file imports when it runs: not `import type`, nor an import of types alone, nor `import()`. */
export function findRuntimeImports(text: string): readonly string[] {
  const statements = text.matchAll(/^(?:import|export) (?!type )(?:([^'";]*?) from )?'(\.[^']+)'/gm);
  return [...statements].flatMap(([, names = '', target = '']) => {
    const listed = /^\{(.*)\}$/s.exec(names.trim())?.[1]?.split(',') ?? [''];
    const present = listed.map((name) => name.trim()).filter((name) => name !== '');
    return present.length > 0 && present.every((name) => name.startsWith('type ')) ? [] : [target];
  });
}
