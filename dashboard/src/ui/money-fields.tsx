import type { ComponentProps, ReactElement } from 'react'
import { amountPattern } from './decimal.ts'
import { TextField } from './fields.tsx'

type FieldProps = Omit<ComponentProps<typeof TextField>, 'inputMode' | 'pattern'>

/** Decimal text, sent with exactly the digits that were entered. */
export const AmountField = (props: FieldProps): ReactElement => (
  <TextField required inputMode="decimal" pattern={amountPattern} maxLength={30} {...props} />
)

/** A code of letters, such as a currency or a country. The code that reads the field converts it to upper case. */
export const CodeField = ({ length, ...props }: FieldProps & { length: number }): ReactElement => (
  <TextField
    required
    autoCapitalize="characters"
    spellCheck={false}
    pattern={`[A-Za-z]{${length}}`}
    maxLength={length}
    {...props}
  />
)
