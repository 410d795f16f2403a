import { z } from 'zod'
import type { BankInstructions } from './connector.ts'

/** Schema of bank transfer instructions, as staff enter them and as the API returns them. */
export const bankInstructionFields = {
  account_name: z.string().optional(),
  account_number: z.string().optional(),
  bank_name: z.string().optional(),
  bank_code: z.string().optional(),
  sort_code: z.string().optional(),
  iban: z.string().optional(),
} satisfies Record<Exclude<keyof BankInstructions, 'reference' | 'expires_at'>, z.ZodType>
