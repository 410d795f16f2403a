import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { WebhookVerificationError } from './verify-webhook.ts'
import { constructEvent } from './webhooks.ts'

interface Vector {
  name: string
  body: string
  headers: Record<string, string>
  secrets: string[]
  now: number
  tolerance: number
  verdict: string
}

/** The Python SDK is tested with the same file. */
const file = join(import.meta.dirname, '../../sdk-python/tests/webhook-vectors.json')
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[]

function verdictOn({ body, headers, secrets, now, tolerance }: Vector): string {
  try {
    constructEvent(body, headers, secrets, { now: new Date(now * 1000), toleranceSeconds: tolerance })
    return 'accepted'
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message
    throw error
  }
}

it.each(vectors)('$name is judged as by the other SDK', (vector) => {
  expect(verdictOn(vector)).toBe(vector.verdict)
})
