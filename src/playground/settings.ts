/** What the server writes into the page. */
export interface Settings {
  /** Which credentials callers send. */
  readonly auth: 'passthrough' | 'jwt' | 'both';
  /** Of the sandbox, which anybody may use. Empty if requests need none, absent if the visitor brings one. */
  readonly apiKey?: string;
  readonly hasSandbox: boolean;
  readonly hasGraphiQL: boolean;
  /** Variables of a complete operation, by the root field of each create. */
  readonly examples: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Where the server put the page, also below a path of a proxy. */
export const base = new URL(document.baseURI);

export const settings = JSON.parse(document.getElementById('settings')?.textContent ?? '{}') as Settings; // Written by the server.
