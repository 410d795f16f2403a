import type { Beneficiary } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { BeneficiaryField } from './beneficiary-field.tsx'
import { newPayment as text } from '../../messages/generated/texts.ts'
import { paths } from '../../paths.ts'
import styles from '../../ui/form.module.css'
import { AmountField, CodeField } from '../../ui/money-fields.tsx'
import { Panel } from '../../ui/page.tsx'
import ui from '../../ui/ui.module.css'

interface PayoutFieldsProps {
  beneficiary: Beneficiary | undefined
  beneficiaries: readonly Beneficiary[] | undefined
  onChoose: (beneficiaryId: string) => void
}

export const PayoutFields = ({ beneficiary, beneficiaries, onChoose }: PayoutFieldsProps): ReactElement => (
  <>
    <Panel title={text.beneficiaryTitle}>
      <div className={styles.fields}>
        <BeneficiaryField
          label={text.beneficiary}
          beneficiaries={beneficiaries}
          value={beneficiary?.beneficiary_id ?? ''}
          onChange={({ target }) => onChoose(target.value)}
        />
        {beneficiary?.account_type === 'wallet' && (
          <p className={`${styles.wide} ${ui.muted}`}>
            {text.walletOnly} <Link to={paths.newRamp}>{text.title}</Link>
          </p>
        )}
      </div>
    </Panel>
    <Panel title={text.amountTitle}>
      <div className={styles.fields}>
        <AmountField name="amount" label={text.amount} hint={text.amountHint} />
        <CodeField
          key={beneficiary?.beneficiary_id}
          name="currency"
          label={text.payFrom}
          hint={text.payFromHint}
          length={3}
          defaultValue={beneficiary?.currency ?? ''}
        />
        {beneficiary && (
          <p className={`${styles.wide} ${ui.muted}`}>{text.arrivesIn(beneficiary.currency)}</p>
        )}
      </div>
    </Panel>
  </>
)
