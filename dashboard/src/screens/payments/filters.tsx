import { useState, type ReactElement } from 'react'
import type { PaymentFilters } from '../../api/queries.ts'
import { directions, methods, paymentStatuses } from '../../api/types.ts'
import { en } from '../../messages/en.ts'
import { Button } from '../../ui/button.tsx'
import styles from './payments.module.css'

interface FiltersProps {
  filters: PaymentFilters
  onChange: (name: string, value: string) => void
  onClear: () => void
}

export const Filters = ({ filters, onChange, onClear }: FiltersProps): ReactElement => (
  <search className={styles.filters} aria-label={en.payments.filters}>
    <Choice
      name="status"
      label={en.payments.status}
      names={en.paymentStatus}
      options={paymentStatuses}
      {...{ filters, onChange }}
    />
    <Choice
      name="direction"
      label={en.payments.direction}
      names={en.direction}
      options={directions}
      {...{ filters, onChange }}
    />
    <Choice
      name="method"
      label={en.payments.method}
      names={en.method}
      options={methods}
      {...{ filters, onChange }}
    />
    <Text name="currency" label={en.payments.currency} isShort {...{ filters, onChange }} />
    <Text name="client_reference" label={en.payments.reference} {...{ filters, onChange }} />
    {Object.keys(filters).length > 0 && <Button onClick={onClear}>{en.payments.clear}</Button>}
  </search>
)

interface ChoiceProps<Option extends string> extends Omit<FiltersProps, 'onClear'> {
  name: string
  label: string
  options: readonly Option[]
  names: Readonly<Record<Option, string>>
}

function Choice<Option extends string>(props: ChoiceProps<Option>): ReactElement {
  const value = props.filters[props.name] ?? ''
  return (
    <label className={styles.filter}>
      {props.label}
      <select
        className={`${styles.control} ${value === '' ? '' : styles.isSet}`}
        value={value}
        onChange={({ target }) => props.onChange(props.name, target.value)}
      >
        <option value="">{en.payments.any}</option>
        {props.options.map((option) => (
          <option key={option} value={option}>
            {props.names[option]}
          </option>
        ))}
      </select>
    </label>
  )
}

interface TextProps extends Omit<FiltersProps, 'onClear'> {
  name: string
  label: string
  isShort?: boolean
}

/** Applied on Enter or when the field is left, so that the address does not change with every letter. */
function Text({ name, label, isShort = false, filters, onChange }: TextProps): ReactElement {
  const applied = filters[name] ?? ''
  const [typed, setTyped] = useState<string>()
  const apply = (): void => {
    if (typed !== undefined && typed.trim() !== applied)
      onChange(name, isShort ? typed.trim().toUpperCase() : typed.trim())
    setTyped(undefined)
  }
  return (
    <label className={styles.filter}>
      {label}
      <input
        className={`${styles.control} ${isShort ? styles.short : styles.wide} ${applied === '' ? '' : styles.isSet}`}
        value={typed ?? applied}
        maxLength={200}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={apply}
        onKeyDown={({ key }) => {
          if (key === 'Enter') apply()
        }}
      />
    </label>
  )
}
