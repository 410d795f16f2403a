import { randomBytes } from 'node:crypto'
import { equalInConstantTime, hmac } from '../../../lib/crypto/crypto.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'

const sessionBytes = 18
const sessionPattern = /^[\w-]{24}$/

/** Identifies a browser on payment pages: a random cookie that grants nothing elsewhere. */
export const newSession = (): string => randomBytes(sessionBytes).toString('base64url')

export const isSession = (text: string | undefined): text is string =>
  text !== undefined && sessionPattern.test(text)

/** Stored with the link, so that only the browser that started a payment can continue it. */
export const sessionHash = ({ current }: KeyRing, session: string): Buffer =>
  hmac(current, `session ${session}`)

/** Proves that a form came from our page in this browser, for this link. */
export const csrfToken = ({ current }: KeyRing, session: string, linkRef: string): string =>
  hmac(current, `form ${session} ${linkRef}`).toString('base64url')

export const isGenuineForm = (
  key: KeyRing,
  page: { session: string; linkRef: string; token: string },
): boolean =>
  equalInConstantTime(Buffer.from(page.token), Buffer.from(csrfToken(key, page.session, page.linkRef)))
