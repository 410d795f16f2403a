import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import { expect, it } from 'vitest'
import { createUploadLimit } from './upload-limit.ts'

const replyOf = (raw: EventEmitter): FastifyReply => ({ raw }) as unknown as FastifyReply

it('a third upload is refused until one of the two before it has ended', () => {
  const limit = createUploadLimit()
  const [first, second, third] = [new EventEmitter(), new EventEmitter(), new EventEmitter()]
  limit(replyOf(first))
  limit(replyOf(second))
  expect(() => limit(replyOf(third))).toThrow('Other batches are being read')
  first.emit('close')
  expect(() => limit(replyOf(third))).not.toThrow()
})
