import { equalInConstantTime, hmac } from './crypto.ts'
import { uuidFromBytes, uuidToBytes } from '../ids.ts'
import type { KeyRing } from './key-ring.ts'

const idBytes = 16
const proofBytes = 16

export interface SignedIds {
  orgId: string
  id: string
}

/** A signed token that carries the ids of an organisation and of one of its records, so that nothing is stored. */
export function signIds(ring: KeyRing, { orgId, id }: SignedIds): string {
  const ids = Buffer.concat([uuidToBytes(orgId), uuidToBytes(id)])
  return Buffer.concat([ids, proofOf(ring.current, ids)]).toString('base64url')
}

export function readSignedIds(ring: KeyRing, token: string): SignedIds | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== 2 * idBytes + proofBytes) return undefined
  const ids = bytes.subarray(0, 2 * idBytes)
  const proof = bytes.subarray(2 * idBytes)
  if (!ring.accepted.some((key) => equalInConstantTime(proof, proofOf(key, ids)))) return undefined
  return { orgId: uuidFromBytes(ids.subarray(0, idBytes)), id: uuidFromBytes(ids.subarray(idBytes)) }
}

const proofOf = (key: Buffer, ids: Buffer): Buffer => hmac(key, ids).subarray(0, proofBytes)
