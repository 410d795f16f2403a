import { useState, type FormEvent, type ReactElement } from 'react'
import { useBeneficiaries } from '../../api/use-beneficiaries.ts'
import { newPayment, newRamp as text } from '../../messages/generated/texts.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import styles from '../../ui/form.module.css'
import { AmountField, CodeField } from '../../ui/money-fields.tsx'
import { Panel } from '../../ui/page.tsx'
import { readForm } from '../../ui/read-form.ts'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import { BankFields, MobileMoneyFields } from '../new-payment/account-fields.tsx'
import { BeneficiaryField } from '../new-payment/beneficiary-field.tsx'
import { asOptions, networksOf } from './assets.ts'
import { readRamp, type CollectBy, type RampDirection, type RampDraft } from './read-ramp.ts'

interface RampFormProps {
  isLocked: boolean
  hasQuote: boolean
  onChange: () => void
  onQuote: (typed: RampDraft) => void
}

export function RampForm({ isLocked, hasQuote, onChange, onQuote }: RampFormProps): ReactElement {
  const [direction, setDirection] = useState<RampDirection>('on_ramp')
  const [collectBy, setCollectBy] = useState<CollectBy>('mobile_money')
  const [isBusiness, setBusiness] = useState(false)
  const [country, setCountry] = useState('')
  const [currency, setCurrency] = useState('')
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    onQuote(readRamp(readForm(event), { direction, collectBy, isBusiness }))
  }
  return (
    <form onSubmit={submit} onChange={onChange}>
      <fieldset className={styles.form} disabled={isLocked}>
        <Panel>
          <div className={`${styles.fields} ${styles.first}`}>
            <SelectField
              name="direction"
              label={text.direction}
              options={text.directions}
              value={direction}
              onChange={({ target }) => setDirection(target.value === 'off_ramp' ? 'off_ramp' : 'on_ramp')}
            />
            <TextField name="client_reference" label={newPayment.reference} maxLength={255} />
          </div>
        </Panel>
        <MoneyFields onCountry={setCountry} onCurrency={setCurrency} />
        <CryptoFields hasWallet={direction === 'on_ramp'} />
        {direction === 'on_ramp' ? (
          <CollectFields {...{ country, currency, collectBy, onCollectBy: setCollectBy }} />
        ) : (
          <PayeeFields />
        )}
        <CustomerFields isBusiness={isBusiness} onBusiness={setBusiness} />
        <div className={work.row}>
          <Button type="submit" isPrimary={!hasQuote}>
            {hasQuote ? text.quoteAgain : text.quote}
          </Button>
        </div>
      </fieldset>
    </form>
  )
}

interface MoneyFieldsProps {
  onCountry: (country: string) => void
  onCurrency: (currency: string) => void
}

const MoneyFields = ({ onCountry, onCurrency }: MoneyFieldsProps): ReactElement => (
  <Panel title={text.moneyTitle}>
    <div className={styles.fields}>
      <AmountField name="fiat_amount" label={newPayment.amount} hint={newPayment.amountHint} />
      <CodeField
        name="fiat_currency"
        label={newPayment.currency}
        hint={newPayment.currencyHint}
        length={3}
        onChange={({ target }) => onCurrency(target.value.trim().toUpperCase())}
      />
      <CodeField
        name="country"
        label={newPayment.country}
        hint={newPayment.countryHint}
        length={2}
        onChange={({ target }) => onCountry(target.value.trim().toUpperCase())}
      />
    </div>
  </Panel>
)

function CryptoFields({ hasWallet }: { hasWallet: boolean }): ReactElement {
  const [asset, setAsset] = useState('USDC')
  return (
    <Panel title={text.cryptoTitle}>
      <div className={styles.fields}>
        <SelectField
          name="crypto_currency"
          label={text.asset}
          options={asOptions(Object.keys(networksOf))}
          value={asset}
          onChange={({ target }) => setAsset(target.value)}
        />
        <SelectField
          key={asset}
          name="crypto_network"
          label={text.network}
          options={asOptions(networksOf[asset] ?? [])}
        />
        {hasWallet && (
          <div className={styles.wide}>
            <TextField
              name="wallet_address"
              label={text.wallet}
              hint={text.walletHint}
              required
              maxLength={128}
              spellCheck={false}
            />
          </div>
        )}
      </div>
    </Panel>
  )
}

interface CollectFieldsProps {
  country: string
  currency: string
  collectBy: CollectBy
  onCollectBy: (collectBy: CollectBy) => void
}

const { mobile_money, bank_transfer } = newPayment.methods

const CollectFields = ({ country, currency, collectBy, onCollectBy }: CollectFieldsProps): ReactElement => (
  <Panel title={text.collectTitle}>
    <div className={styles.fields}>
      <SelectField
        name="collect_by"
        label={text.collectBy}
        options={{ mobile_money, bank_transfer }}
        value={collectBy}
        onChange={({ target }) =>
          onCollectBy(target.value === 'bank_transfer' ? 'bank_transfer' : 'mobile_money')
        }
      />
      {collectBy === 'mobile_money' ? (
        <MobileMoneyFields country={country} currency={currency} />
      ) : (
        <>
          <BankFields country={country} isOptional />
          <p className={`${styles.wide} ${ui.muted}`}>{text.bankText}</p>
        </>
      )}
    </div>
  </Panel>
)

function PayeeFields(): ReactElement {
  const { data } = useBeneficiaries()
  return (
    <Panel title={text.payTitle}>
      <div className={styles.fields}>
        <BeneficiaryField
          label={newPayment.beneficiary}
          beneficiaries={data?.filter(({ account_type }) => account_type !== 'wallet')}
          defaultValue=""
        />
      </div>
    </Panel>
  )
}

interface CustomerFieldsProps {
  isBusiness: boolean
  onBusiness: (isBusiness: boolean) => void
}

const CustomerFields = ({ isBusiness, onBusiness }: CustomerFieldsProps): ReactElement => (
  <Panel title={text.customerTitle}>
    <div className={styles.fields}>
      <SelectField
        name="customer_type"
        label={text.customer}
        options={text.customers}
        value={isBusiness ? 'business' : 'retail'}
        onChange={({ target }) => onBusiness(target.value === 'business')}
      />
      {isBusiness && (
        <>
          <TextField name="business_name" label={text.businessName} required maxLength={200} />
          <TextField name="business_id" label={text.businessId} required maxLength={200} />
        </>
      )}
    </div>
  </Panel>
)
