/** Stands for the sign-in that your server has, such as the `auth()` of a library. */
export async function findSession(request: Request): Promise<{ readonly userId: string } | undefined> {
  const [, userId] = /(?:^|; )session=(\w+)/.exec(request.headers.get('cookie') ?? '') ?? [];
  return userId === undefined ? undefined : { userId };
}
