// Things that people ask lists of.
const lists: Readonly<Record<string, string>> = {
  fruit:
    'apples, pears, plums, cherries, mangoes, oranges, figs, grapes, papayas, quinces, peaches, kiwis, lemons, dates',
  vegetable:
    'carrots, leeks, spinach, beetroot, fennel, kale, pumpkins, peas, radishes, aubergines, turnips, onions',
  animal:
    'otters, hedgehogs, lynxes, storks, dolphins, badgers, geckos, owls, ibexes, seals, foxes, elephants',
  colour: 'teal, crimson, ochre, indigo, olive, coral, ivory, turquoise, maroon, lilac, amber, slate',
  country:
    'Portugal, Kenya, Japan, Peru, Norway, Vietnam, Canada, Morocco, Austria, Chile, India, New Zealand',
  city: 'Lisbon, Kyoto, Nairobi, Montréal, Zürich, Cusco, Hanoi, Bergen, Marrakesh, Graz, Valparaíso, Chennai',
  planet: 'Mercury, Venus, Earth, Mars, Jupiter, Saturn, Uranus, Neptune',
  instrument: 'violin, oboe, harp, cello, trumpet, koto, sitar, piano, bassoon, marimba, lute, clarinet',
  tree: 'oak, birch, larch, maple, cedar, willow, beech, olive, ginkgo, ash, elm, yew',
  bird: 'swifts, herons, wrens, kingfishers, magpies, owls, storks, cranes, robins, terns, larks, jays',
};

/** A numbered list of so many things of a well-known kind; undefined where the prompt asks for another kind. */
export function writeKnownList(prompt: string): string | undefined {
  const asked =
    /\b(?:list|name|give me|tell me|write)(?: me)? (?:of )?(\d{1,2}|some|a few|two|three|four|five|six|seven|eight|nine|ten) (?:\w+ )?([a-z]+)\b/i.exec(
      prompt,
    );
  const kind =
    asked?.[2]
      ?.toLowerCase()
      .replace(/^color/, 'colour')
      .replace(/ies$/, 'y')
      .replace(/s$/, '') ?? '';
  const items = Object.hasOwn(lists, kind) ? lists[kind]?.split(', ') : undefined;
  if (!asked || !items) return undefined;
  const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  const count = Number(asked[1]) || Math.max(words.indexOf(asked[1]?.toLowerCase() ?? ''), 0) || 5;
  return items
    .slice(0, count)
    .map((item, index) => `${index + 1}. ${item}`)
    .join('\n');
}
