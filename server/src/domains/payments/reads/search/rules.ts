import { createHmac } from 'node:crypto'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'
import { toE164 } from '../../../../lib/instruments/phone.ts'
import type { PrivateDetails } from '../../record.ts'

const shortestName = 2
const nameWordsLimit = 6

export const normaliseEmail = (email: string): string => email.trim().toLowerCase()

/** Without accents and case, so that Zoë and ZOE are one. */
export const nameWordsOf = (name: string): string[] => {
  const folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? []
  const usable = words.filter((word) => word.length >= shortestName && /\p{L}/u.test(word))
  return [...new Set(usable)].slice(0, nameWordsLimit)
}

type TermKind = 'name' | 'email' | 'phone'

/** Hashes under a key of the organisation, so that equal values of two organisations have different terms. */
export function createTermHash(searchKey: KeyRing, orgId: string): (kind: TermKind, value: string) => bigint {
  const orgKey = createHmac('sha256', searchKey.current).update(orgId).digest()
  return (kind, value) => createHmac('sha256', orgKey).update(`${kind} ${value}`).digest().readBigInt64BE()
}

/** The terms of the people on both sides of a payment. Only whole words: hashed prefixes would spell the names. */
export function termsOf(
  hash: ReturnType<typeof createTermHash>,
  country: string,
  { payer, payee, mobileMoney }: PrivateDetails,
): bigint[] {
  const present = (values: readonly (string | null | undefined)[]): string[] =>
    values.filter((value): value is string => typeof value === 'string' && value !== '')
  const names = present([payer?.name, payee?.name]).flatMap(nameWordsOf)
  const emails = present([payer?.email, payee?.email]).map(normaliseEmail)
  const phones = present([
    payer?.phone,
    payee?.phone,
    mobileMoney?.phoneNumber,
    payee?.mobileMoney?.phoneNumber,
  ])
  const numbers = phones.map((phone) => toE164(phone, country)).filter((number) => number !== undefined)
  return [
    ...new Set([
      ...names.map((word) => hash('name', word)),
      ...emails.map((email) => hash('email', email)),
      ...numbers.map((number) => hash('phone', number)),
    ]),
  ]
}
