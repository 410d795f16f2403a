import { z } from 'zod'

/** Spec 2.10. Accepts any text, because the response describes what is wrong with it. */
const text = z.string().max(100)
export const validateUkAccountBody = z.object({
  sortCode: text.meta({ example: '08-99-99' }),
  accountNumber: text.meta({ example: '66374958' }),
})
export const validateUkAccountQuery = z.object({
  modulus: z.stringbool().default(false).meta({
    type: 'boolean',
    description: 'Also check that the account number can belong to the sort code.',
  }),
})

export const ukAccountResponse = z
  .object({
    success: z.boolean(),
    accountDetails: z.object({
      sortCode: z.string(),
      accountNumber: z.string(),
      validated: z.boolean(),
      message: z.string(),
    }),
  })
  .meta({ id: 'UkAccountValidation' })
