import { deriveKey, open } from './crypto.ts'

/** The keys of one purpose. They change while the process runs, so callers must not store one of them. */
export interface KeyRing {
  /** Signs, seals and hashes. */
  readonly current: Buffer
  /** What any of these signed or sealed is genuine; the current one is among them. */
  readonly accepted: readonly Buffer[]
}

/** Derives the key of a purpose from a secret, once for each secret. */
export function createDerivation(purpose: string): (secret: Buffer) => Buffer {
  const derived = new WeakMap<Buffer, Buffer>()
  return (secret) => {
    const known = derived.get(secret)
    if (known) return known
    const made = deriveKey(secret, purpose)
    derived.set(secret, made)
    return made
  }
}

export function deriveRing(from: KeyRing, purpose: string): KeyRing {
  const derive = createDerivation(purpose)
  return {
    get current() {
      return derive(from.current)
    },
    get accepted() {
      return from.accepted.map(derive)
    },
  }
}

export function openWithAny(ring: KeyRing, sealed: Buffer, context: string): Buffer | undefined {
  for (const key of ring.accepted) {
    const plain = open(key, sealed, context)
    if (plain) return plain
  }
  return undefined
}
