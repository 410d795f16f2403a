import { z } from 'zod'
import type { BankInstructions } from './connector.ts'

/** Where money is sent by bank, as a schema: what staff enter, and what the API answers. */
export const bankInstructionFields = {
  account_name: z.string().optional(),
  account_number: z.string().optional(),
  bank_name: z.string().optional(),
  bank_code: z.string().optional(),
  sort_code: z.string().optional(),
  iban: z.string().optional(),
} satisfies Record<Exclude<keyof BankInstructions, 'reference' | 'expires_at'>, z.ZodType>
