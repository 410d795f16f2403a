import { useState, type ReactElement } from 'react'
import { policyEditor, policyRule as text, terms } from '../../messages/generated/texts.ts'
import { Check } from '../../ui/checks.tsx'
import { AreaField, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import ui from '../../ui/ui.module.css'
import type { Conditions, Rule, Strategy } from './policy.ts'
import styles from './policy.module.css'
import { readConditions, readOrder } from './read-rule.ts'
import { StrategyFields } from './strategy-fields.tsx'

interface RuleDialogProps {
  rules: readonly Rule[]
  /** The rule to edit; undefined for a new rule. */
  index?: number
  onClose: () => void
  onApply: (rule: Rule) => void
}

/** Changes only the draft in the page; the server validates the rule when the draft is saved. */
export function RuleDialog({ rules, index, onClose, onApply }: RuleDialogProps): ReactElement {
  const rule = index === undefined ? undefined : rules[index]
  const [strategy, setStrategy] = useState<Strategy>(rule?.strategy ?? { type: 'priority' })
  const [methods, setMethods] = useState<ReadonlySet<string>>(new Set(rule?.when.method))
  return (
    <FormDialog
      title={rule ? text.editTitle : text.addTitle}
      submitLabel={policyEditor.apply}
      onClose={onClose}
      onSubmit={async ({ text: field }) => {
        const name = await Promise.resolve(field('name'))
        if (rules.some((one, at) => at !== index && one.name === name)) throw new Error(text.taken)
        const { order: _before, ...chosen } = strategy
        onApply({
          name,
          when: readConditions(field, methods),
          strategy: { ...chosen, ...readOrder(field('order')) },
        })
      }}
    >
      <TextField name="name" label={text.name} required maxLength={200} defaultValue={rule?.name} />
      <fieldset className={styles.group}>
        <legend>{text.conditions}</legend>
        <p className={ui.hint}>{text.conditionsText}</p>
        <CommonConditions when={rule?.when ?? {}} methods={methods} onMethods={setMethods} />
        <RareConditions when={rule?.when ?? {}} />
      </fieldset>
      <StrategyFields strategy={strategy} onChange={setStrategy} />
    </FormDialog>
  )
}

const policyMethods = ['bank_transfer', 'card', 'mobile_money'] as const

interface CommonConditionsProps {
  when: Conditions
  methods: ReadonlySet<string>
  onMethods: (methods: ReadonlySet<string>) => void
}

const CommonConditions = ({ when, methods, onMethods }: CommonConditionsProps): ReactElement => (
  <>
    <SelectField
      name="direction"
      label={text.direction}
      options={text.directions}
      placeholder={text.anyDirection}
      defaultValue={when.direction ?? ''}
    />
    <div role="group" aria-label={text.method} className={styles.methods}>
      {policyMethods.map((method) => (
        <Check
          key={method}
          label={terms.method[method]}
          isChecked={methods.has(method)}
          onChange={(isChecked) =>
            onMethods(
              new Set(isChecked ? [...methods, method] : [...methods].filter((one) => one !== method)),
            )
          }
        />
      ))}
    </div>
    <TextField
      name="country"
      label={text.country}
      hint={text.codesHint}
      defaultValue={when.country?.join(', ')}
    />
    <TextField
      name="currency"
      label={text.currency}
      hint={text.currencyHint}
      defaultValue={when.currency?.join(', ')}
    />
  </>
)

/** Collapsed unless the rule has one of these conditions. */
const RareConditions = ({ when }: { when: Conditions }): ReactElement => (
  <details className={styles.group} open={rareFields.some((name) => when[name] !== undefined)}>
    <summary>{text.more}</summary>
    <div className={styles.group}>
      <div className={styles.pair}>
        <TextField
          name="amount_currency"
          label={text.amountCurrency}
          maxLength={3}
          defaultValue={when.amount?.currency}
        />
        <TextField name="min" label={text.min} inputMode="decimal" defaultValue={when.amount?.min} />
        <TextField name="max" label={text.max} inputMode="decimal" defaultValue={when.amount?.max} />
      </div>
      <ListField name="card_brand" label={text.cardBrand} values={when.card_brand} />
      <ListField name="issuer_country" label={text.issuerCountry} values={when.issuer_country} />
      <ListField name="network" label={text.network} values={when.network} />
      <ListField name="customer_type" label={text.customerType} values={when.customer_type} />
      <AreaField
        name="metadata"
        label={text.metadata}
        hint={text.metadataHint}
        defaultValue={when.metadata && JSON.stringify(when.metadata)}
      />
      <div className={styles.pair}>
        <TextField name="time_from" label={text.timeFrom} type="time" defaultValue={when.time_of_day?.from} />
        <TextField name="time_to" label={text.timeTo} type="time" defaultValue={when.time_of_day?.to} />
        <TextField
          name="zone"
          label={text.zone}
          defaultValue={when.time_of_day?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
        />
      </div>
    </div>
  </details>
)

const rareFields = [
  'amount',
  'card_brand',
  'issuer_country',
  'network',
  'customer_type',
  'metadata',
  'time_of_day',
] as const

const ListField = ({
  name,
  label,
  values,
}: {
  name: string
  label: string
  values: readonly string[] | undefined
}): ReactElement => <TextField {...{ name, label }} hint={text.listHint} defaultValue={values?.join(', ')} />
