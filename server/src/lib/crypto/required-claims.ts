import { z } from 'zod'
import { roles, type Role } from '../requests/access.ts'

/** How somebody signed in, by the names of claims such as `amr` and `acr`. */
export type Claims = Readonly<Record<string, readonly string[]>>

const claimName = z.string().min(1).max(100)
const values = z.array(z.string().min(1).max(255)).min(1).max(20)

/** For each role the claims that its members must sign in with; one of the values of each is enough. */
export const requiredClaims = z.partialRecord(z.enum(roles), z.record(claimName, values))
export type RequiredClaims = z.infer<typeof requiredClaims>

/** The claims that some role requires, read from a token. A claim may be one text or a list of them. */
export function readClaims(required: RequiredClaims, payload: Readonly<Record<string, unknown>>): Claims {
  const names = new Set(Object.values(required).flatMap((ofRole) => Object.keys(ofRole)))
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      [Object.hasOwn(payload, name) ? payload[name] : []].flat().filter((value) => typeof value === 'string'),
    ]),
  )
}

/** The first claim that the role requires and the sign-in lacks, with the values that would do. */
export function missingClaim(
  required: RequiredClaims,
  role: Role,
  claims: Claims,
): { name: string; values: readonly string[] } | undefined {
  const missing = Object.entries(required[role] ?? {}).find(
    ([name, accepted]) => !accepted.some((value) => (claims[name] ?? []).includes(value)),
  )
  return missing && { name: missing[0], values: missing[1] }
}
