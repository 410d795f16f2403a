import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../api/client.ts'
import { beneficiaries as text } from '../../messages/generated/texts.ts'
import { beneficiaryPath } from '../../paths.ts'
import { showToast } from '../../shell/toasts.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { AccountFields, accountOf, type AccountType } from './account-fields.tsx'

const types = { bank: text.types.bank, mobile_money: text.types.mobile_money }

export function CreateDialog({ onClose }: { onClose: () => void }): ReactElement {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [type, setType] = useState<AccountType>('bank')
  return (
    <FormDialog
      title={text.form.title}
      submitLabel={text.form.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const created = await api.beneficiaries.create(
          {
            account_type: type,
            fname: field('fname'),
            lname: field('lname'),
            country: field('country').toUpperCase(),
            currency: field('currency').toUpperCase(),
            ...accountOf(type, field),
          },
          {},
          { idempotencyKey },
        )
        showToast(text.form.done)
        await client.invalidateQueries({ queryKey: ['beneficiaries'] })
        await navigate(beneficiaryPath(created.beneficiary_id))
      }}
    >
      <TextField name="fname" label={text.form.first} required maxLength={100} />
      <TextField name="lname" label={text.form.last} required maxLength={100} />
      <TextField
        name="country"
        label={text.country}
        hint={text.form.countryHint}
        required
        minLength={2}
        maxLength={2}
      />
      <TextField
        name="currency"
        label={text.currency}
        hint={text.form.currencyHint}
        required
        minLength={3}
        maxLength={3}
      />
      <SelectField
        name="account_type"
        label={text.type}
        options={types}
        value={type}
        onChange={({ target }) => setType(target.value === 'bank' ? 'bank' : 'mobile_money')}
      />
      <AccountFields type={type} />
    </FormDialog>
  )
}
