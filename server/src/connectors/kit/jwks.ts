import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { parseAnswer } from './parse-answer.ts'

const keysLimit = 100
const jwksSchema = z.object({ keys: z.array(z.unknown()).max(keysLimit) })
const jwkSchema = z.looseObject({ kid: z.string() })

/** Reads a JWKS for the key cache. Unreadable keys are skipped; undefined if the text is no key set. */
export const readJwks = (text: string): { id: string; key: string }[] | undefined =>
  parseAnswer(text, jwksSchema)?.keys.flatMap((entry) => {
    const jwk = jwkSchema.safeParse(entry).data
    try {
      const key = jwk && createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
      return jwk && key ? [{ id: jwk.kid, key: key.toString() }] : []
    } catch {
      return []
    }
  })
