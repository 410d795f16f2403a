import { z } from 'zod'
import { countryCode, ok, success } from '../../../lib/requests/wire.ts'
import type { KnownBank } from './record.ts'

export const listBanksQuery = z.object({ country: countryCode })

const bank = z
  .object({
    bank_code: z.string().meta({ description: 'Use it as bank_code of a beneficiary or payment.' }),
    name: z.string(),
    country: z.string(),
    providers: z.array(z.string()).meta({ description: 'The providers that know the bank by this code.' }),
  })
  .meta({ id: 'Bank' })

export const bankList = success(z.array(bank)).extend({ count: z.int() })

export const toBankList = (country: string, banks: readonly KnownBank[]): z.input<typeof bankList> => ({
  ...ok(
    'Banks that your providers can pay to in this country.',
    banks.map(({ code, name, providers }) => ({ bank_code: code, name, country, providers })),
  ),
  count: banks.length,
})
