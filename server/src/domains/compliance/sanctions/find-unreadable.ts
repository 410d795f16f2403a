import { isUnreadable } from '../../../lib/names/romanise.ts'
import type { Hit, ListEntry } from './record.ts'

const letter = /[\p{L}\p{N}]/u

/** A name in a script that cannot be written in Latin letters, or of signs alone: no list has anything to compare with it. */
export const cannotCompare = (name: string): boolean => !letter.test(name) || isUnreadable(name)

/** It is in no version of a list. */
const noVersion = '00000000-0000-0000-0000-000000000000'

const listed: ListEntry = {
  entryId: 'unreadable name',
  kind: 'person',
  names: [],
  birthDates: [],
  countries: [],
  programmes: [],
}

/** Stands for the entry of a list where a name cannot be compared with any. */
export const unreadableHit: Hit = {
  entry: {
    versionId: noVersion,
    source: 'script',
    entryId: listed.entryId,
    fingerprint: 'unreadable name',
    birthDates: [],
    countries: [],
  },
  score: 0,
  listed,
}
