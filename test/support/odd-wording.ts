import { readPage } from './markdown.ts';

/** Wording that descriptions avoid, with the standard terms. */
const rules: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\blets? go of\b/i, 'evict, disconnect or release'],
  [/\b(tells?|told)\b/i, 'report, return or distinguish'],
  [/\b(give[sn]?|gave) (it )?back\b/i, 'return'],
  [/\blook(s|ed|ing)? at\b/i, 'check or read'],
  [/\bgo(es)? by\b/i, 'depend on or follow'],
  [/\b(come[s]?|came) to be\b/i, 'become'],
  [/\bst(ands?|ood) for\b/i, 'mean or represent'],
  [/\bwhat (has|have) ended\b/i, 'name the subject: a terminal task'],
  [/\b(is|are|was|were) no\b(?! longer)/i, 'is not a'],
  [/\bnone of (this|the) caller\b/i, 'if the caller has no such object'],
  [/(^|[.:;] )Of an? /, 'put the subject first'],
  [/(^|[.:;] )What\b/, 'put a noun first'],
  [/\bask(s|ed|ing)? the gateway\b|\basked for\b/i, 'read from the gateway, or request'],
  [/\bends? later\b/i, 'long-running'],
  [/\bmade elsewhere\b/i, 'created elsewhere'],
  [/\bby itself\b|\ball the same\b|\bwhoever\b|\bwherever\b|\bwhatever\b/i, 'say what happens'],
  [/\banew\b|\bbeside\b|\bhence\b/i, 'again, in addition or so'],
  [/\bhttp\(s\) address|\b(an|its|their|by|the) address(es)?\b/i, 'URL'],
  [/\b(cancell(ed|ing)|colour|behaviour)\b/i, 'the American spelling'],
];

/** Clients cannot see the settings of a server. */
const settings = [...readPage('docs/settings.md').matchAll(/^\| `([A-Z]+_[A-Z_]+)`/gm)].flatMap(
  ([, name]) => name ?? [],
);

/** Wording of a description that is not plain technical English, with a proposal. Code in backticks is ignored. */
export function findOddWording(description: string): readonly string[] {
  const prose = description.replaceAll(/`[^`]*`/g, '`…`');
  return [
    ...rules.flatMap(([pattern, instead]) => {
      const [found] = pattern.exec(prose) ?? [];
      return found === undefined ? [] : [`"${found.trim()}" (write: ${instead})`];
    }),
    ...settings
      .filter((name) => description.includes(name))
      .map((name) => `"${name}" (a setting: leave it out)`),
  ];
}
