import { hash, randomBytes } from 'node:crypto'

/**
 * A key from which a key for each leaf is derived, and from which single leaves can be removed for ever: the nodes of a
 * tree with four children each, where a child is a hash of its parent. At first there is only the root. Removing a leaf
 * replaces the node above it by the siblings of the path, from which every other leaf can be derived, and this one not.
 *
 * The nodes are kept in one buffer, sorted by the first leaf below them, because there are about 80 for each removed leaf.
 */
export type PuncturableKey = Buffer

export const leafBytes = 8
const levels = 32
const keyBytes = 32
/** The first leaf, the level, the key. */
const nodeBytes = leafBytes + 1 + keyBytes

export const createPuncturableKey = (): PuncturableKey =>
  toNode(Buffer.alloc(leafBytes), 0, randomBytes(keyBytes))

export const isPuncturableKey = (bytes: Buffer): boolean => bytes.length % nodeBytes === 0

/** The leaf of a name. Two names of 10⁸ share one with a probability of 5 · 10⁻¹² for each name. */
export const leafOf = (name: string): Buffer => hash('sha256', name, 'buffer').subarray(0, leafBytes)

/** Undefined if the leaf was removed. */
export function deriveLeaf(key: PuncturableKey, leaf: Buffer): Buffer | undefined {
  const at = nodeAbove(key, leaf)
  if (at === undefined) return undefined
  let derived = keyAt(key, at)
  for (let level = levelAt(key, at); level < levels; level++) derived = childOf(derived, digitOf(leaf, level))
  return derived
}

export function removeLeaf(key: PuncturableKey, leaf: Buffer): PuncturableKey {
  const at = nodeAbove(key, leaf)
  if (at === undefined) return key
  const before: Buffer[] = []
  const after: Buffer[] = []
  let onPath = keyAt(key, at)
  for (let level = levelAt(key, at); level < levels; level++) {
    const own = digitOf(leaf, level)
    const siblings = [0, 1, 2, 3].filter((digit) => digit !== own)
    const nodes = siblings.map((digit) => ({
      digit,
      node: toNode(firstLeafOf(leaf, level, digit), level + 1, childOf(onPath, digit)),
    }))
    before.push(...nodes.filter(({ digit }) => digit < own).map(({ node }) => node))
    after.unshift(...nodes.filter(({ digit }) => digit > own).map(({ node }) => node))
    onPath = childOf(onPath, own)
  }
  const [start, end] = [at * nodeBytes, (at + 1) * nodeBytes]
  return Buffer.concat([key.subarray(0, start), ...before, ...after, key.subarray(end)])
}

const toNode = (firstLeaf: Buffer, level: number, key: Buffer): Buffer =>
  Buffer.concat([firstLeaf, Buffer.of(level), key])

const levelAt = (key: PuncturableKey, at: number): number => key.readUInt8(at * nodeBytes + leafBytes)

const keyAt = (key: PuncturableKey, at: number): Buffer =>
  key.subarray(at * nodeBytes + leafBytes + 1, (at + 1) * nodeBytes)

/** The number of the node that the leaf lies below: the last one that does not begin after it, if it reaches that far. */
function nodeAbove(key: PuncturableKey, leaf: Buffer): number | undefined {
  let [low, high] = [0, key.length / nodeBytes]
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = key.compare(leaf, 0, leafBytes, middle * nodeBytes, middle * nodeBytes + leafBytes)
    if (order <= 0) low = middle + 1
    else high = middle
  }
  const at = low - 1
  if (at < 0) return undefined
  for (let level = 0; level < levelAt(key, at); level++)
    if (digitOf(leaf, level) !== digitOf(key.subarray(at * nodeBytes), level)) return undefined
  return at
}

/** Two bits of the leaf. */
const digitOf = (leaf: Buffer, level: number): number =>
  (leaf.readUInt8(level >>> 2) >>> (6 - 2 * (level & 3))) & 3

const childOf = (key: Buffer, digit: number): Buffer =>
  hash('sha256', Buffer.concat([key, Buffer.of(digit)], keyBytes + 1), 'buffer')

/** The first leaf below a child of the leaf's own node on the level. */
function firstLeafOf(leaf: Buffer, level: number, digit: number): Buffer {
  const first = Buffer.alloc(leafBytes)
  for (let upper = 0; upper < level; upper++) setDigit(first, upper, digitOf(leaf, upper))
  setDigit(first, level, digit)
  return first
}

function setDigit(leaf: Buffer, level: number, digit: number): void {
  const at = level >>> 2
  leaf.writeUInt8(leaf.readUInt8(at) | (digit << (6 - 2 * (level & 3))), at)
}
