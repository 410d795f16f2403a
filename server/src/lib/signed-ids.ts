import { equalInConstantTime, hmac } from './crypto.ts'
import { uuidFromBytes, uuidToBytes } from './ids.ts'

const idBytes = 16
const proofBytes = 16

export interface SignedIds {
  orgId: string
  id: string
}

/** A signed token that carries the ids of an organisation and of one of its records, so that nothing is stored. */
export function signIds(key: Buffer, { orgId, id }: SignedIds): string {
  const ids = Buffer.concat([uuidToBytes(orgId), uuidToBytes(id)])
  return Buffer.concat([ids, hmac(key, ids).subarray(0, proofBytes)]).toString('base64url')
}

export function readSignedIds(key: Buffer, token: string): SignedIds | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== 2 * idBytes + proofBytes) return undefined
  const ids = bytes.subarray(0, 2 * idBytes)
  if (!equalInConstantTime(bytes.subarray(2 * idBytes), hmac(key, ids).subarray(0, proofBytes)))
    return undefined
  return { orgId: uuidFromBytes(ids.subarray(0, idBytes)), id: uuidFromBytes(ids.subarray(idBytes)) }
}
