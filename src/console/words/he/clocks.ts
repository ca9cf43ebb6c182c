import type { clocks as english } from '../en/clocks.ts'
import { isolate } from '../../../shared/isolate.ts'

export const clocks: typeof english = {
  differ: (here, server) =>
    `השעון של המכשיר הזה מראה ${isolate(here)}, ושעון השרת מראה ${isolate(server)}. כדאי להשוות את שניהם לטלפון, ולכוון את השגוי לפי הרשת: מועדי התשלום, העדכונים ואישורי האבטחה נקבעים לפי שעון השרת.`,
}
