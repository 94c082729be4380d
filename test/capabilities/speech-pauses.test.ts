import { describe, expect, test } from 'vitest';
import { pauseIssues } from '../../src/capabilities/speech/pauses.ts';

describe('pauses', () => {
  test.each([
    'no pause',
    'a<#0.01#>b',
    'a<#99.99#>b<#1#>c<#05.5#>d',
    'a. <#2.5#> \n b',
    '你好<#1#>世界',
    'I <3 you, #1! C#>Java, <b>5</b>',
  ])('are valid in %j', (text) => {
    expect(pauseIssues(text)).toEqual([]);
  });

  test.each([
    ['a<#0#>b', 1],
    ['a<#0.00#>b', 1],
    ['a<#100#>b', 1],
    ['a<#1.234#>b', 1],
    ['a<#-1#>b', 1],
    ['a<#.5#>b', 1],
    ['a<#1.#>b', 1],
    ['a<#1,5#>b', 1],
    ['a<# 1 #>b', 1],
    ['a< #1#>b', 1],
    ['a<##>b', 1],
    ['a<#one#>b', 1],
    ['a<#1#b', 1],
    ['a<#1>b', 1],
    ['a<1#>b', 1],
    ['a<#', 2],
    ['<#1#>b', 1],
    [' … <#1#>b', 1],
    ['a<#1#>', 1],
    ['a<#1#>!', 1],
    ['<#1#>', 2],
    ['a<#1#><#2#>b', 1],
    ['a<#1#> , <#2#>b', 1],
    ['a<#1#><#2#><#3#>', 3],
    ['<#1#><#0#>', 4],
  ])('in %j have problems: %d', (text, count) => {
    expect(pauseIssues(text)).toHaveLength(count);
  });

  test.each([
    ['<#1#>b', [/start/]],
    ['a<#1#>', [/end/]],
    ['a<#1#><#2#>b', [/must not follow one another/]],
    ['<#1#>', [/start/, /end/]],
    ['a<#0#>b', [/A pause must be <#x#>/]],
  ])('in %j are named', (text, messages) => {
    expect(pauseIssues(text).map(({ message }) => message)).toEqual(
      messages.map((message) => expect.stringMatching(message)),
    );
  });
});
