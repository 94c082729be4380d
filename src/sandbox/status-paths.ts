/** Status endpoints that the gateway's document does not have, by kind of work. */
export const statusPaths: Readonly<Record<string, string>> = {
  SPEECH: '/ent/v2/tasks/{id}',
  VIDEO: '/v1/video/query?id={id}',
  REFERENCE_VIDEO: '/v1/videos/{id}',
  TRANSITION_VIDEO: '/openapi/v2/video/result/{id}',
};
