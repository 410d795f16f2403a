import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CompiledQuery } from 'kysely'
import { isKeyTaken } from '../../kernel/db/errors.ts'

/** A call with an Idempotency-Key on a route that binds the key to what it begins. */
export interface KeyedCall {
  /** What the first call with the key began; undefined when this is the first. */
  readonly begunId: string | undefined
  /** The statement that claims the key, for the transaction that begins the resource. */
  claim: (resourceId: string) => CompiledQuery
  /** Reads what another call with the key has begun since this one started. */
  findBegun: () => Promise<string>
  /** Has the response stored for replay. */
  storeResponse: () => void
}

interface BeginOptions<Begun> {
  /** Begins the resource, with the claim as part of its first transaction. */
  begin: (claim: KeyedCall['claim'] | undefined) => Promise<Begun>
  /** Loads the resource as it is now, for a repeated call. */
  load: (resourceId: string) => Promise<Begun>
  /** False when the outcome is in doubt: a repeat should then see the resource as it is by then, not this response. */
  isReplayable?: (begun: Begun) => boolean
}

/** Begins a resource at most once per Idempotency-Key. Every repeat is answered with the resource of the first call. */
export async function beginOnce<Begun>(
  { keyedCall }: FastifyRequest,
  reply: FastifyReply,
  { begin, load, isReplayable }: BeginOptions<Begun>,
): Promise<Begun> {
  const repeat = (resourceId: string): Promise<Begun> => {
    reply.header('idempotent-replayed', 'true')
    return load(resourceId)
  }
  if (keyedCall?.begunId !== undefined) return repeat(keyedCall.begunId)
  try {
    const begun = await begin(keyedCall?.claim)
    if (isReplayable?.(begun) ?? true) keyedCall?.storeResponse()
    return begun
  } catch (error) {
    if (!keyedCall || !isKeyTaken(error)) throw error
    return repeat(await keyedCall.findBegun())
  }
}
