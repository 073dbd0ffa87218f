import { timingSafeEqual } from 'node:crypto';
import { getCookie, setCookie } from 'hono/cookie';
import type { MiddlewareHandler } from 'hono';

/** What a request is checked against. */
export interface GuardOptions {
  /** Opens the page. It is in the address that the terminal shows, and nowhere else. */
  readonly token: string;
  /** The value of the cookie. */
  readonly session: string;
  /** The folder that everything lies in: `/` and what nobody guesses. */
  readonly place: string;
  /** `http://127.0.0.1:4321`, once it is known. */
  readonly origin: () => string;
}

const policy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `form-action 'none'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/**
 * Lets in who has the token, from this machine, by this address. A page of another site cannot
 * reach it: not by a name that leads to this machine (`Host`), not from its own address (`Origin`),
 * and not with a cookie (`SameSite`). The token comes once, in the address that the terminal shows,
 * and is exchanged for a cookie that scripts cannot read and that does not tell the token.
 *
 * A browser sends cookies to every port of a machine. So this one is for a path that only this
 * server has: another server on this machine is not sent it, and cannot come in with it.
 */
export function guard({ token, session, place, origin }: GuardOptions): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    const own = new URL(origin());
    const headers = {
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    };
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    if (req.header('host') !== own.host) return context.text('This address is not served here.', 421);
    const from = req.header('origin');
    if (from !== undefined && from !== own.origin) return context.text('Requests of other sites are refused.', 403);
    const cookie = `repertoire-inspect-${own.port}`;
    const given = req.query('token');
    if (req.method === 'GET' && req.path === '/' && given !== undefined) {
      if (!isSame(given, token)) return context.text('This token is not valid any more. Open the address that the terminal shows.', 403);
      setCookie(context, cookie, session, { httpOnly: true, sameSite: 'Strict', path: `${place}/` });
      return context.redirect(`${place}/`, 302);
    }
    if (!isSame(getCookie(context, cookie) ?? '', session)) return context.text('Open the address that the terminal shows.', 403);
    await next();
    return undefined;
  };
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
