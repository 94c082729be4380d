/** A voice of the preset catalogue. */
export interface PresetVoice {
  /** Position in the catalogue, from 0. */
  readonly number: number;
  readonly id: string;
  readonly taskId: string;
  readonly name: string;
  readonly language: string;
  readonly gender: 'female' | 'male' | 'neutral';
  readonly style: string;
  readonly createdAtMs: number;
}

const styles = [
  'warm narrator',
  'bright and friendly',
  'calm and clear',
  'news presenter',
  'gentle storyteller',
  'lively commentator',
  'deep and measured',
  'soft-spoken guide',
  'confident presenter',
  'playful',
  'thoughtful teacher',
] as const;

// Per language: female names; male names; neutral names.
const namesByLanguage: Readonly<Record<string, string>> = {
  'en-US': 'Ava Chloe Harper Madison Ruby; Caleb Ethan Logan Mason Wyatt; Quinn Riley',
  'en-GB': 'Amelia Beatrice Imogen Poppy; Alfie Harry Oliver Rupert; Rowan',
  'en-AU': 'Isla Matilda; Jack Lachlan',
  'en-IN': 'Ananya Kavya; Arjun Rohan',
  'zh-CN': 'Xiaoyu Meiling Ruolan Yating; Haoran Jianming Zihan Weijie; Anran',
  'zh-TW': 'Shufen Yijun; Chihao Junhong',
  'zh-HK': 'Wingyan Kayan; Kaho Tszlok',
  'ja-JP': 'Aoi Hina Sakura; Haruto Ren Sota; Akira',
  'ko-KR': 'Jiwoo Seoyeon; Doyun Minjun; Haneul',
  'es-ES': 'Carmen Lucia Marta; Alvaro Diego Javier',
  'es-MX': 'Ximena Valeria; Emiliano Santiago',
  'es-AR': 'Martina; Thiago',
  'fr-FR': 'Camille Elodie Manon; Antoine Gaspard Lucas',
  'fr-CA': 'Florence; Olivier',
  'de-DE': 'Annika Greta Johanna; Felix Jonas Lukas',
  'de-AT': 'Leonie; Maximilian',
  'it-IT': 'Chiara Giulia; Lorenzo Matteo',
  'pt-BR': 'Beatriz Larissa; Caio Rafael',
  'pt-PT': 'Ines; Duarte',
  'nl-NL': 'Fleur Sanne; Bram Daan',
  'sv-SE': 'Astrid Elsa; Axel Nils',
  'nb-NO': 'Ingrid; Sondre',
  'da-DK': 'Freja; Magnus',
  'fi-FI': 'Aino; Eero',
  'pl-PL': 'Zofia Hanna; Jakub Szymon',
  'cs-CZ': 'Eliska; Vojtech',
  'hu-HU': 'Reka; Balazs',
  'ro-RO': 'Ioana; Andrei',
  'el-GR': 'Eleni; Nikos',
  'tr-TR': 'Elif Zeynep; Emre Yusuf',
  'ru-RU': 'Anastasia Daria; Dmitri Maksim',
  'uk-UA': 'Oksana; Taras',
  'ar-SA': 'Layla Noor; Faisal Omar',
  'he-IL': 'Noa; Eitan',
  'fa-IR': 'Parisa; Kaveh',
  'hi-IN': 'Diya Priya; Aarav Vivaan',
  'bn-BD': 'Nusrat; Tanvir',
  'ta-IN': 'Meena; Karthik',
  'th-TH': 'Malee; Somchai',
  'vi-VN': 'Linh; Minh',
  'id-ID': 'Putri; Bayu',
  'ms-MY': 'Aisyah; Hafiz',
  'fil-PH': 'Althea; Jomar',
  'sw-KE': 'Zawadi; Baraka',
};

const genders = ['female', 'male', 'neutral'] as const;
const firstCreatedAtMs = Date.UTC(2025, 2, 3, 9);

/** Every preset voice, in catalogue order. */
export const presetVoices: readonly PresetVoice[] = listVoices();

function listVoices(): PresetVoice[] {
  const voices: PresetVoice[] = [];
  for (const [language, names] of Object.entries(namesByLanguage)) {
    for (const [column, list] of names.split(';').entries()) {
      for (const name of list.trim().split(' ')) {
        const number = voices.length;
        voices.push({
          number,
          id: `${language}-${name}`.toLowerCase(),
          taskId: String(7_301_000_000_000 + number * 104_729),
          name,
          language,
          gender: genders[column] ?? 'neutral',
          style: styles[(number * 7) % styles.length] ?? styles[0],
          createdAtMs: firstCreatedAtMs + number * 3_600_000,
        });
      }
    }
  }
  return voices;
}
