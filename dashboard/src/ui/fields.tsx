import { createContext, use, useId, type ComponentProps, type ReactElement, type ReactNode } from 'react'
import styles from './ui.module.css'

/** What the server said about the fields of the form, by their names. */
export const FieldErrors = createContext<ReadonlyMap<string, string>>(new Map())

interface FieldProps {
  name: string
  label: string
  hint?: ReactNode
}

type ControlProps = Pick<ComponentProps<'input'>, 'id' | 'name' | 'aria-describedby' | 'aria-invalid'>

/** A label, the control, a hint, and what the server refused about it. */
function Field({
  name,
  label,
  hint,
  children,
}: FieldProps & { children: (props: ControlProps) => ReactNode }): ReactElement {
  const id = useId()
  const error = use(FieldErrors).get(name)
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        name,
        ...(describedBy !== '' && { 'aria-describedby': describedBy }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span id={`${id}-error`} className={styles.fieldError}>
          {error}
        </span>
      )}
    </div>
  )
}

type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'id' | 'name'>

export const TextField = ({ name, label, hint, ...props }: TextFieldProps): ReactElement => (
  <Field {...{ name, label, hint }}>
    {(control) => <input type="text" autoComplete="off" {...props} {...control} className={styles.control} />}
  </Field>
)

type AreaFieldProps = FieldProps & Omit<ComponentProps<'textarea'>, 'id' | 'name'>

export const AreaField = ({ name, label, hint, ...props }: AreaFieldProps): ReactElement => (
  <Field {...{ name, label, hint }}>
    {(control) => <textarea rows={3} {...props} {...control} className={styles.control} />}
  </Field>
)

type SelectFieldProps = FieldProps &
  Omit<ComponentProps<'select'>, 'id' | 'name'> & {
    /** Words by their values. A record puts values that look like numbers first, so these need a map. */
    options: Readonly<Record<string, string>> | ReadonlyMap<string, string>
    /** Asks for a choice: the first option, without a value, so that nothing is chosen by accident. */
    placeholder?: string
  }

export const SelectField = ({
  name,
  label,
  hint,
  options,
  placeholder,
  ...props
}: SelectFieldProps): ReactElement => (
  <Field {...{ name, label, hint }}>
    {(control) => (
      <select {...props} {...control} className={styles.control}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {[...(options instanceof Map ? options : new Map(Object.entries(options)))].map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)
