import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'
import { nameWords } from '../../../../lib/names/name-words.ts'
import type { ChangeRequest } from '../../../people/change-requests/record.ts'
import type { Person } from '../record.ts'
import { cannotCompare } from '../find-unreadable.ts'
import type { Identifier, MatchStatus, SanctionsMatch, Subject } from './record.ts'

/**
 * The same for the same person of an organisation, and nothing to whoever has only the database: two organisations
 * have different keys. The same holds for the keys of identifiers.
 */
export function personKeyOf(key: KeyRing, orgId: string, { name, dateOfBirth, country }: Person): Buffer {
  const words = cannotCompare(name) ? [name.normalize('NFKC')] : nameWords(name).words
  return keyedHash(key, orgId, JSON.stringify([words, dateOfBirth ?? '', country ?? '']))
}

export const identifierKeysOf = (key: KeyRing, orgId: string, identifiers: readonly Identifier[]): Buffer[] =>
  [...new Set(identifiers.map(({ kind, value }) => `${kind} ${value}`))].map((one) =>
    keyedHash(key, orgId, one),
  )

function keyedHash(key: KeyRing, orgId: string, text: string): Buffer {
  const orgKey = createHmac('sha256', key.current).update(orgId).digest()
  return createHmac('sha256', orgKey).update(text).digest()
}

/** Derived, so that a match that is found again is the same one, and what is sealed for it can be replaced. */
export function matchIdOf(
  orgId: string,
  { kind, subjectId }: Pick<Subject, 'kind' | 'subjectId'>,
  { source, entryId }: { source: string; entryId: string },
): string {
  const named = JSON.stringify([orgId, kind, subjectId, source, entryId])
  const hex = createHash('sha256').update(named).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

type DecidedMatch = Pick<SanctionsMatch, 'source' | 'entryId' | 'entryFingerprint' | 'status'>

/** What was decided about the person and the entry. A clearance ends with the entry as it was. */
export function decisionAbout(
  decided: readonly DecidedMatch[],
  { source, entryId, fingerprint }: { source: string; entryId: string; fingerprint: string },
): MatchStatus | undefined {
  const about = decided.filter((one) => one.source === source && one.entryId === entryId)
  if (about.some(({ status }) => status === 'confirmed')) return 'confirmed'
  return about.some((one) => one.status === 'cleared' && one.entryFingerprint === fingerprint)
    ? 'cleared'
    : undefined
}

/** Which decisions may follow each other: what was confirmed in error can be cleared, and the other way round. */
export const mayDecide: Readonly<Record<MatchStatus, Readonly<Record<'cleared' | 'confirmed', boolean>>>> = {
  open: { cleared: true, confirmed: true },
  cleared: { cleared: false, confirmed: true },
  confirmed: { cleared: true, confirmed: false },
}

export const clearance = z.object({ match_id: z.uuid(), reason: z.string() })

/** The match that a change request would clear. */
export const matchOf = ({ payload }: Pick<ChangeRequest, 'payload'>): string | undefined =>
  clearance.safeParse(payload).data?.match_id
