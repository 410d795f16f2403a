import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { newPayment as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useMay } from '../../shell/session.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'

interface Corridor {
  country: string
  currency: string
}

const isCode = (code: string, length: number): boolean => code.length === length && /^[A-Z]+$/.test(code)

/** A phone number on a network of the country. The networks come from the organisation's providers. */
export function MobileMoneyFields({ country, currency }: Corridor): ReactElement {
  const isKnown = isCode(country, 2) && isCode(currency, 3)
  const { data } = useQuery({
    queryKey: ['networks', country, currency],
    queryFn: ({ signal }) => api.networks.list({ country, currency, direction: 'payin' }, { signal }),
    enabled: useMay('networks:read') && isKnown,
  })
  const names = new Map(
    (data ?? []).map(({ provider, name, status }) => [
      provider,
      status === 'operational' ? name : `${name} (${nameOf(text.networkStatus, status)})`,
    ]),
  )
  const hint = !isKnown ? text.networkHint : data?.length === 0 ? text.noNetworks : undefined
  return (
    <>
      <SelectField
        name="mobile_money_details.provider"
        label={text.network}
        hint={hint}
        required
        placeholder={text.chooseNetwork}
        options={names}
      />
      <TextField
        name="mobile_money_details.phone_number"
        label={text.momoPhone}
        required
        inputMode="tel"
        maxLength={30}
      />
    </>
  )
}

/** The payer's account. The bank is chosen from a list if the country has one; otherwise its code is entered. */
export function BankFields({
  country,
  isOptional = false,
}: {
  country: string
  isOptional?: boolean
}): ReactElement {
  const { data } = useQuery({
    queryKey: ['banks', country],
    queryFn: ({ signal }) => api.catalog.listBanks({ country }, { signal }),
    enabled: useMay('networks:read') && isCode(country, 2),
  })
  const banks = (data ?? []).toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <>
      {banks.length > 0 ? (
        <SelectField
          name="bank_account.bank_code"
          label={text.bank}
          required={!isOptional}
          placeholder={text.chooseBank}
          options={new Map(banks.map(({ bank_code, name }) => [bank_code, name]))}
        />
      ) : (
        <>
          <TextField name="bank_account.bank_name" label={text.bank} maxLength={200} />
          <TextField name="bank_account.bank_code" label={text.bankCode} maxLength={34} />
        </>
      )}
      <TextField
        name="bank_account.account_number"
        label={text.accountNumber}
        required={!isOptional}
        inputMode="numeric"
        maxLength={34}
      />
      <TextField name="bank_details.account_name" label={text.accountName} maxLength={200} />
    </>
  )
}
