import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { newPayment as text } from '../../messages/generated/texts.ts'
import { paths } from '../../paths.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import styles from '../../ui/form.module.css'
import { AmountField, CodeField } from '../../ui/money-fields.tsx'
import { Panel } from '../../ui/page.tsx'
import ui from '../../ui/ui.module.css'
import { BankFields, MobileMoneyFields } from './account-fields.tsx'
import type { Method } from './read-payment.ts'

interface PayinFieldsProps {
  method: Method
  onMethod: (method: Method) => void
}

const toMethod = (value: string): Method =>
  value === 'card' || value === 'bank_transfer' ? value : 'mobile_money'

export function PayinFields({ method, onMethod }: PayinFieldsProps): ReactElement {
  const [country, setCountry] = useState('')
  const [currency, setCurrency] = useState('')
  return (
    <>
      <Panel title={text.amountTitle}>
        <div className={styles.fields}>
          <AmountField name="amount" label={text.amount} hint={text.amountHint} />
          <CodeField
            name="currency"
            label={text.currency}
            hint={text.currencyHint}
            length={3}
            onChange={({ target }) => setCurrency(target.value.trim().toUpperCase())}
          />
          <CodeField
            name="target_currency"
            label={text.receiveIn}
            hint={text.receiveInHint}
            length={3}
            required={false}
          />
        </div>
      </Panel>
      <Panel title={text.payerTitle}>
        <div className={styles.fields}>
          <CodeField
            name="country"
            label={text.country}
            hint={text.countryHint}
            length={2}
            onChange={({ target }) => setCountry(target.value.trim().toUpperCase())}
          />
          <SelectField
            name="payment_method"
            label={text.method}
            options={text.methods}
            value={method}
            onChange={({ target }) => onMethod(toMethod(target.value))}
          />
          {method === 'mobile_money' && <MobileMoneyFields country={country} currency={currency} />}
          {method === 'bank_transfer' && <BankFields country={country} />}
          {method === 'card' && <CardNote />}
          <TextField name="payer_details.name" label={text.name} maxLength={200} />
          <TextField name="payer_details.email" label={text.email} type="email" maxLength={320} />
          <TextField name="payer_details.phone" label={text.phone} inputMode="tel" maxLength={30} />
        </div>
      </Panel>
    </>
  )
}

/** A card number never passes through the dashboard: the payer enters it on the provider's page. */
function CardNote(): ReactElement {
  const { org_id } = useIdentity().me
  const mayLink = useMay('payment-links:read')
  const { data } = useQuery({
    queryKey: ['organization', org_id],
    queryFn: ({ signal }) => api.organizations.get(org_id, { signal }),
    enabled: useMay('organizations:read'),
  })
  const isHosted = data?.cards === 'hosted_only'
  return (
    <p className={`${styles.wide} ${ui.muted}`}>
      {isHosted ? text.cardText : text.cardClosed}{' '}
      {!isHosted && mayLink && <Link to={paths.paymentLinks}>{text.createLink}</Link>}
    </p>
  )
}
