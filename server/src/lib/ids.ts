import { createHash, randomUUIDv7 } from 'node:crypto'

export const newId = (): string => randomUUIDv7()

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const isUuid = (text: string): boolean => uuidPattern.test(text)

export const uuidToBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

export function uuidFromBytes(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The same id for the same text, in every process: a UUIDv8 of its hash. */
export function derivedId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const versionAt = 14
const timeChars = 12

/** When the id was made, if it is a UUIDv7. */
export const timeOfId = (id: string): Date | undefined =>
  id[versionAt] === '7'
    ? new Date(Number.parseInt(id.replaceAll('-', '').slice(0, timeChars), 16))
    : undefined

/** The smallest UUIDv7 of a moment, as `first_id_at` of the database. */
export function firstIdAt(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(timeChars, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

const smallestId = '00000000-0000-0000-0000-000000000000'
/** By how much the clocks of two machines may differ. */
const clockSkewMs = 24 * 60 * 60_000

/** No id of what the thing with this id has caused is smaller, so that older partitions need not be searched. */
export function smallestCausedBy(id: string): string {
  const time = timeOfId(id)
  return time ? firstIdAt(new Date(Math.max(0, time.getTime() - clockSkewMs))) : smallestId
}
