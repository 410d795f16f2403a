export const depositContext = (exceptionId: string): string => `deposit ${exceptionId}`
