import type { Configuration } from 'openid-client'
import type { Database } from '../../../kernel/db/database.ts'
import type { Feature, Membership } from '../../../lib/requests/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Claims, RequiredClaims } from '../../../lib/crypto/required-claims.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'

export interface Session {
  orgId: string
  sessionId: string
  userId: string
  /** When the person last proved who they are; null if the identity provider does not report it. */
  authTime: Date | null
  /** How they did, as far as a role requires something of it. */
  claims: Claims
  ip: string
  userAgent: string | null
  /** Written at most once a minute. */
  lastSeenAt: Date
  /** The session ends then, however much it is used. */
  expiresAt: Date
  createdAt: Date
}

export interface NewSession extends Session {
  tokenHash: Buffer
}

/** Everything that authentication needs, in one row. */
export interface SessionWithMember extends Session {
  tokenHash: Buffer
  membership: Membership
  features: Feature[]
}

/** What an open stream checks of its session. */
export interface LiveSession extends Pick<Session, 'sessionId' | 'lastSeenAt' | 'expiresAt'> {
  membership: Membership
}

/** A session whose token goes into the browser's cookie and is never seen again. */
export interface OpenedSession {
  session: Session
  token: string
}

export interface SessionDeps {
  db: Database
  clock: Clock
  /** Hashes the tokens of sessions. */
  requiredClaims: RequiredClaims
  sessionKey: KeyRing
}

/** The identity provider at which people sign in; undefined when the dashboard is not configured. */
export interface SignInDeps {
  identityProvider: IdentityProvider | undefined
  clock: Clock
  /** Seals what a sign-in has to remember, in the browser that began it. */
  requiredClaims: RequiredClaims
  loginKey: KeyRing
}

export interface IdentityProvider {
  redirectUri: string
  scope: string
  /** The claim of the ID token that names an organisation. */
  orgClaim: string
  configuration(): Promise<Configuration>
}

/** What a sign-in remembers between the redirect to the identity provider and the way back. */
export interface PendingLogin {
  state: string
  nonce: string
  codeVerifier: string
  returnTo: string
  /** The person must have proved who they are within so many seconds. */
  maxAgeSeconds: number | null
  expiresAt: Date
}

/** The person who signed in, as reported by the identity provider. */
export interface SignedInPerson {
  userId: string
  /** The organisation that the identity provider suggests. */
  orgId: string | undefined
  authTime: Date | null
  claims: Claims
}

/** Tells a page that something has changed, so that it fetches it again. It has no data of its own. */
export interface Hint {
  type: string
  id: string
  sequence: number
}
