import { useState } from 'react'
import { Intents } from './intent.ts'

/** Intents of a component. */
export const useIntents = (): Intents => useState(() => new Intents())[0]
