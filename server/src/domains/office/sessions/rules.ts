import { randomBytes } from 'node:crypto'
import type { Permission } from '../../../lib/requests/access.ts'
import { hmac } from '../../../lib/crypto/crypto.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { Session } from './record.ts'

export const idleLimitMs = 30 * 60_000
export const absoluteLimitMs = 12 * 60 * 60_000
/** A request writes that the session was used only if this much time has passed. */
export const touchAfterMs = 60_000
/** More browsers than a person uses; the session that was used longest ago ends. */
export const sessionsPerUser = 20
export const loginLimitMs = 10 * 60_000
/** Sealed under another context, nothing can be presented as a sign-in. */
export const loginContext = 'login'

const tokenBytes = 32

export const newToken = (): string => randomBytes(tokenBytes).toString('base64url')

export const tokenHash = ({ current }: KeyRing, token: string): Buffer => hmac(current, token)

export const isOver = (session: Pick<Session, 'lastSeenAt' | 'expiresAt'>, now: Date): boolean =>
  now >= session.expiresAt || now.getTime() - session.lastSeenAt.getTime() >= idleLimitMs

export const endsAt = ({ lastSeenAt, expiresAt }: Pick<Session, 'lastSeenAt' | 'expiresAt'>): Date =>
  new Date(Math.min(lastSeenAt.getTime() + idleLimitMs, expiresAt.getTime()))

const dashboardPath = '/dashboard'

/** Only pages of the dashboard, so that a link to the sign-in cannot lead to another site. */
export function safeReturnPath(requested: string | undefined, publicUrl: string): string {
  const url = requested === undefined ? null : URL.parse(requested, publicUrl)
  if (url?.origin !== new URL(publicUrl).origin) return dashboardPath
  const isDashboard = url.pathname === dashboardPath || url.pathname.startsWith(`${dashboardPath}/`)
  return isDashboard ? `${url.pathname}${url.search}${url.hash}` : dashboardPath
}

/** Why a sign-in failed; the sign-in page explains each. */
export type LoginFailure = 'expired' | 'refused' | 'not-a-member' | 'too-weak' | 'unavailable'

export const failurePath = (failure: LoginFailure): string => `${dashboardPath}/sign-in?error=${failure}`

/** The permission that a hint of each resource needs. Types that are not listed are never sent. */
const hintPermissions: Readonly<Record<string, Permission>> = {
  payment: 'payments:read',
  transaction: 'payments:read',
  payout_batch: 'payments:read',
  dispute: 'disputes:read',
  exception: 'exceptions:read',
  virtual_account: 'virtual-accounts:read',
  escrow: 'escrow:read',
  kyb: 'organizations:read',
}

export function mayReceive(permissions: ReadonlySet<Permission>, hintType: string): boolean {
  const needed = hintPermissions[hintType.split('.', 1)[0] ?? '']
  return needed !== undefined && permissions.has(needed)
}
