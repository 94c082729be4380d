/** Like `push`, which reserves space for 17 items in an empty list. For lists that usually have one item. */
export function append<Item>(items: Item[], item: Item): Item[] {
  if (items.length === 0) return [item];
  items.push(item);
  return items;
}
