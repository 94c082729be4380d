import type { RequestMembers } from './request-members.ts';

export const contentRequests: readonly RequestMembers[] = [
  {
    endpoint: 20,
    method: 'POST',
    path: '/v1beta/models/{model_id}:generateContent',
    field: 'generateContent',
    calls: [
      {
        input: {
          model: 'gemini-2.5-flash',
          contents: [
            {
              role: 'user',
              parts: [
                { text: 'What is at https://example.com?' },
                { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
              ],
            },
          ],
          urlContext: true,
        },
      },
    ],
    members: {
      'query:key': { header: 'Authorization' },
      'path:model_id': 'input.model',
      contents: 'input.contents',
      'contents[].role': 'input.contents[].role',
      'contents[].parts': 'input.contents[].parts',
      'contents[].parts[].text': 'input.contents[].parts[].text',
      'contents[].parts[].inline_data': 'input.contents[].parts[].inlineData',
      'contents[].parts[].inline_data.mime_type': 'input.contents[].parts[].inlineData.mimeType',
      'contents[].parts[].inline_data.data': 'input.contents[].parts[].inlineData.data',
      tools: { by: 'input.urlContext' },
      'tools[].urlContext': { by: 'input.urlContext' },
    },
  },
];
