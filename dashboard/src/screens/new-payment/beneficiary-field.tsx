import type { Beneficiary } from '@switchyard/sdk'
import type { ComponentProps, ReactElement } from 'react'
import { Link } from 'react-router'
import { nameOfBeneficiary } from '../../api/use-beneficiaries.ts'
import { newPayment as text } from '../../messages/generated/texts.ts'
import { paths } from '../../paths.ts'
import { SelectField } from '../../ui/fields.tsx'

type BeneficiaryFieldProps = Omit<ComponentProps<typeof SelectField>, 'name' | 'options' | 'hint'> & {
  beneficiaries: readonly Beneficiary[] | undefined
}

/** The last digits distinguish two accounts of one person. The server masks the rest for people who may not see it. */
const labelOf = (beneficiary: Beneficiary): string => {
  const { bank_details: bank, momo_details: momo } = beneficiary
  const number = bank.account_number ?? bank.iban ?? momo.phone_number ?? ''
  return [
    nameOfBeneficiary(beneficiary),
    number === '' ? '' : `•••• ${number.slice(-4)}`,
    beneficiary.currency,
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

/** A select of the registered beneficiaries. */
export const BeneficiaryField = ({ beneficiaries, ...props }: BeneficiaryFieldProps): ReactElement => (
  <SelectField
    required
    {...props}
    name="beneficiary_id"
    hint={
      beneficiaries?.length === 0 ? (
        <>
          {text.noBeneficiaries} <Link to={paths.beneficiaries}>{text.createBeneficiary}</Link>
        </>
      ) : undefined
    }
    placeholder={text.chooseBeneficiary}
    options={new Map((beneficiaries ?? []).map((one) => [one.beneficiary_id, labelOf(one)]))}
  />
)
