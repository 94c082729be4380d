import { describe, expect, test } from 'vitest';
import { named, readError, startSandbox } from '../support.ts';
import { createClient, speechRequest } from '../tasks/support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const client = createClient(sandbox);

function post(changes: Record<string, unknown>): Promise<Response> {
  return client.post('/ent/v2/audio-tts', { ...speechRequest, ...changes });
}

describe('POST /ent/v2/audio-tts', () => {
  test('needs only a text and a voice', async () => {
    expect((await post({})).status).toBe(200);
  });

  test.each(
    named([
      ['text', ''],
      ['text', 'x'.repeat(9999)],
      ['text', '🦊'.repeat(9999)],
      ['text', 'one\ntwo\n\nthree'],
      ['text', 'one<#0.01#>two<#99.99#>three<#5#>four<#1.5#>five'],
      ['text', 'a < b and b <# c'],
      ['voice_setting_voice_id', 'zh-cn-haoran'],
      ['voice_setting_speed', '0.5'],
      ['voice_setting_speed', '2'],
      ['voice_setting_speed', '1.25'],
      ['voice_setting_volume', '0'],
      ['voice_setting_volume', '10'],
      ['voice_setting_pitch', '-12'],
      ['voice_setting_pitch', '12'],
      ['voice_setting_emotion', 'happy'],
      ['voice_setting_emotion', 'calm'],
      ['pronunciation_dict_tone', '[]'],
      ['pronunciation_dict_tone', '["omg/oh my god","重庆/(chong2)(qing4)","危险/dangerous"]'],
      ['pronunciation_dict_tone', '["GIF/jif (soft g)","处理/(chu3) (li3)","乔戈里峰/K2"]'],
      ['pronunciation_dict_tone', '["女/(nü3)","女/(nu\u03083)","诶/(ê1)"]'],
      ['payload', ''],
      ['payload', '🦊'.repeat(1_048_576)],
    ]),
  )('takes %s: %s', async (member, _label, value) => {
    expect((await post({ [member]: value })).status).toBe(200);
  });

  test.each(
    named([
      ['text', undefined],
      ['text', 5],
      ['text', 'x'.repeat(10_000)],
      ['text', 'one<#0#>two'],
      ['text', 'one<#0.001#>two'],
      ['text', 'one<#100#>two'],
      ['text', 'one<#1.234#>two'],
      ['text', 'one<#-1#>two'],
      ['text', 'one<#soon#>two'],
      ['text', 'one<##>two'],
      ['text', 'a <# b and #> c'],
      ['text', '<#1#>one'],
      ['text', 'one<#1#>'],
      ['text', 'one<#1#><#2#>two'],
      ['text', 'one<#1#> , <#2#>two'],
      ['voice_setting_voice_id', undefined],
      ['voice_setting_voice_id', ''],
      ['voice_setting_voice_id', 'nobody'],
      ['voice_setting_speed', '0.49'],
      ['voice_setting_speed', '2.01'],
      ['voice_setting_speed', 1],
      ['voice_setting_speed', '1e0'],
      ['voice_setting_speed', 'fast'],
      ['voice_setting_speed', ''],
      ['voice_setting_volume', '-0.1'],
      ['voice_setting_volume', '10.1'],
      ['voice_setting_volume', 5],
      ['voice_setting_pitch', '-12.1'],
      ['voice_setting_pitch', '12.1'],
      ['voice_setting_pitch', 0],
      ['voice_setting_emotion', 'bored'],
      ['voice_setting_emotion', 'Happy'],
      ['pronunciation_dict_tone', ['omg/oh my god']],
      ['pronunciation_dict_tone', 'omg/oh my god'],
      ['pronunciation_dict_tone', '{"omg":"oh my god"}'],
      ['pronunciation_dict_tone', '[5]'],
      ['pronunciation_dict_tone', '["omg"]'],
      ['pronunciation_dict_tone', '["/oh my god"]'],
      ['pronunciation_dict_tone', '["omg/"]'],
      ['pronunciation_dict_tone', '["重庆/(chong2)"]'],
      ['pronunciation_dict_tone', '["重庆/(chong2)(qing6)"]'],
      ['pronunciation_dict_tone', '["重庆/(chong)(qing)"]'],
      ['pronunciation_dict_tone', '["重庆/(chong2)qing4"]'],
      ['pronunciation_dict_tone', '["重庆/chong2 qing4"]'],
      ['payload', 'x'.repeat(1_048_577)],
      ['payload', { id: 1 }],
      ['voice_id', 'en-us-ava'],
      ['model', 'audio-tts'],
      ['payload', null],
    ]),
  )('refuses %s: %s', async (member, _label, value) => {
    const error = await readError(await post({ [member]: value }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.message).toContain(member);
  });
});
