import { z } from 'zod'
import { evidenceFields, filePurposes } from '../../../../connectors/kit/disputes.ts'
import type { NewEvidence } from './add-evidence.ts'
import { fileLimitBytes, filesPerDispute, textCharacters } from './rules.ts'

/** Base64 is a third longer than its content; a file above the limit is refused with a message of its own. */
export const evidenceBodyBytes = 4 * 1024 * 1024

const text = z.string().trim().min(1).max(textCharacters)

export const evidenceBody = z
  .object({
    texts: z
      .partialRecord(z.enum(evidenceFields), text)
      .default({})
      .meta({ description: 'A later text replaces an earlier one of the same field.' }),
    files: z
      .array(
        z.object({
          purpose: z.enum(filePurposes),
          name: z
            .string()
            .trim()
            .min(1)
            .max(120)
            .regex(/^[\w .()-]+$/, 'may have letters, digits, spaces and ._()- only'),
          content: z
            .string()
            .min(1)
            .meta({ description: `Base64 of a PDF, JPEG or PNG of at most ${fileLimitBytes} bytes.` }),
        }),
      )
      .max(filesPerDispute)
      .default([]),
  })
  .refine(({ texts, files }) => Object.keys(texts).length + files.length > 0, 'needs a text or a file')
  .meta({ example: { texts: { product_description: 'A chair, delivered on 3 March' }, files: [] } })

export const toNewEvidence = (disputeId: string, body: z.infer<typeof evidenceBody>): NewEvidence => ({
  disputeId,
  texts: body.texts,
  files: body.files.map(({ purpose, name, content }) => ({ purpose, name, base64: content })),
})
