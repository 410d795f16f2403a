import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'
import { derivedId } from '../../../../lib/ids.ts'
import { nameWords } from '../../../../lib/names/name-words.ts'
import type { ChangeRequest } from '../../../people/change-requests/record.ts'
import type { Person } from '../record.ts'
import { cannotCompare } from '../find-unreadable.ts'
import type { Identifier, MatchStatus, SanctionsMatch, Subject } from './record.ts'

/** What people and identifiers are hashed with. Two organisations have different keys, so their hashes cannot be compared. */
export const orgKeyOf = (key: KeyRing, orgId: string): Buffer =>
  createHmac('sha256', key.current).update(orgId).digest()

/** The same for the same person of an organisation, and nothing to whoever has only the database. */
export function personKeyOf(orgKey: Buffer, { name, dateOfBirth, country }: Person): Buffer {
  const words = cannotCompare(name) ? [name.normalize('NFKC')] : nameWords(name).words
  return keyedHash(orgKey, JSON.stringify([words, dateOfBirth ?? '', country ?? '']))
}

export const identifierKeysOf = (orgKey: Buffer, identifiers: readonly Identifier[]): Buffer[] =>
  [...new Set(identifiers.map(({ kind, value }) => `${kind} ${value}`))].map((one) => keyedHash(orgKey, one))

const keyedHash = (orgKey: Buffer, text: string): Buffer => createHmac('sha256', orgKey).update(text).digest()

/** Derived, so that a match that is found again is the same one, and what is sealed for it can be replaced. */
export const matchIdOf = (
  orgId: string,
  { kind, subjectId }: Pick<Subject, 'kind' | 'subjectId'>,
  { source, entryId }: { source: string; entryId: string },
): string => derivedId(JSON.stringify([orgId, kind, subjectId, source, entryId]))

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
