import { randomBytes, randomInt } from 'node:crypto'

const MIN_ID = 1_000_000
const MAX_ID = 999_999_999

export function newId(): number {
  return randomInt(MIN_ID, MAX_ID)
}

/** `FLW-MOCK-6cf5ab3e…` */
export function newFlwRef(): string {
  return `FLW-MOCK-${randomBytes(16).toString('hex')}`
}
