import type { BeneficiariesCreateBody } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { beneficiaries as text } from '../../messages/generated/texts.ts'
import { TextField } from '../../ui/fields.tsx'

export type AccountType = 'bank' | 'mobile_money'

export const AccountFields = ({ type }: { type: AccountType }): ReactElement =>
  type === 'bank' ? (
    <>
      <TextField name="account_number" label={text.form.accountNumber} required inputMode="numeric" />
      <TextField name="bank_code" label={text.form.bankCode} required />
      <TextField name="bank_name" label={text.form.bankName} required />
    </>
  ) : (
    <>
      <TextField name="network" label={text.form.network} hint={text.form.networkHint} required />
      <TextField name="phone_number" label={text.form.phone} required inputMode="tel" />
    </>
  )

export const accountOf = (
  type: AccountType,
  field: (name: string) => string,
): Pick<BeneficiariesCreateBody, 'bank_details' | 'momo_details'> =>
  type === 'bank'
    ? {
        bank_details: {
          account_number: field('account_number'),
          bank_code: field('bank_code'),
          bank_name: field('bank_name'),
        },
      }
    : { momo_details: { provider: field('network'), phone_number: field('phone_number') } }
