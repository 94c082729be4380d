const numberWords = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const chineseDigits = '零一二三四五六七八九十';

/** The largest group of usual models. The gateway documents no limit. */
const maxImages = 15;
/** For prompts without a number. */
const someImages = 4;

const number = String.raw`(\d{1,3}|${numberWords.join('|')})`;
const noun =
  '(?:pictures|images|photos|photographs|drawings|illustrations|paintings|panels|frames|scenes|posters|stickers|variations|versions|shots)';
const counted = [
  new RegExp(String.raw`\b${number}[ -](?:[a-z-]{1,40} ){0,2}${noun}\b`, 'i'),
  new RegExp(String.raw`\b(?:series|set|group|sequence|collection) of ${number}\b`, 'i'),
  new RegExp(String.raw`\b${number}-(?:panel|part|image|picture)\b`, 'i'),
  /(\d{1,3}|[一二三四五六七八九十两])\s*[张幅组格]/,
];
const uncounted =
  /\b(?:series|set|group|sequence|collection) of [a-z]|\b(storyboard|comic strip)\b|一组|一系列|系列图|组图/i;

/** The number of images that a prompt asks for. */
export function findGroupSize(prompt: string): number {
  for (const pattern of counted) {
    const found = pattern.exec(prompt)?.[1];
    if (found !== undefined && found !== '一') return Math.min(Math.max(toNumber(found), 1), maxImages);
  }
  return uncounted.test(prompt) ? someImages : 1;
}

function toNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  if (text === '两') return 2;
  const chinese = chineseDigits.indexOf(text);
  return chinese > 0 ? chinese : numberWords.indexOf(text.toLowerCase()) + 1;
}
