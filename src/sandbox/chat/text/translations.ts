const languages = ['french', 'german', 'spanish', 'italian', 'chinese', 'japanese'];

const phrases: Readonly<Record<string, readonly string[]>> = {
  hello: ['bonjour', 'hallo', 'hola', 'ciao', '你好', 'こんにちは'],
  'good morning': ['bonjour', 'guten Morgen', 'buenos días', 'buongiorno', '早上好', 'おはようございます'],
  'good night': ['bonne nuit', 'gute Nacht', 'buenas noches', 'buonanotte', '晚安', 'おやすみなさい'],
  goodbye: ['au revoir', 'auf Wiedersehen', 'adiós', 'arrivederci', '再见', 'さようなら'],
  'thank you': ['merci', 'danke', 'gracias', 'grazie', '谢谢', 'ありがとう'],
  please: ["s'il vous plaît", 'bitte', 'por favor', 'per favore', '请', 'お願いします'],
  'i love you': ["je t'aime", 'ich liebe dich', 'te quiero', 'ti amo', '我爱你', '愛しています'],
  'how are you': [
    'comment ça va ?',
    'wie geht es dir?',
    '¿cómo estás?',
    'come stai?',
    '你好吗？',
    'お元気ですか',
  ],
  water: ["l'eau", 'das Wasser', 'el agua', "l'acqua", '水', '水'],
  bread: ['le pain', 'das Brot', 'el pan', 'il pane', '面包', 'パン'],
  house: ['la maison', 'das Haus', 'la casa', 'la casa', '房子', '家'],
  cat: ['le chat', 'die Katze', 'el gato', 'il gatto', '猫', '猫'],
};

/** The translation of a well-known phrase; undefined where the prompt asks for none that is known. */
export function translate(prompt: string): string | undefined {
  const asked = /\b(?:translate|say)\s+["“']?([^"“”]+?)["”']?\s+(?:in|into|to)\s+(\w+)\b/i.exec(prompt);
  const phrase = asked?.[1]?.toLowerCase().replace(/[!?.]+$/, '') ?? '';
  const language = asked?.[2]?.toLowerCase() ?? '';
  if (!Object.hasOwn(phrases, phrase)) return undefined;
  const translation = phrases[phrase]?.[languages.indexOf(language)];
  return translation === undefined ? undefined : `“${asked?.[1]}” in ${asked?.[2]} is “${translation}”.`;
}
