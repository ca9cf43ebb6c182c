// The types of the API, made from its document by `npm test -- -u`.
export interface paths {
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Liveness"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Readiness"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Backups"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Backups"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/backups/{name}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BackupDownload"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BackupAddress"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/backups/{name}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    expires: number;
                    signature: string;
                };
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/gzip": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/gzip": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/backups/{name}/contents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BackupContents"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerRestore"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/backups/{name}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BackupRestore"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerRestore"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/backups/brought": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/octet-stream": unknown;
                    "application/gzip": unknown;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Backups"];
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Backups"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/backups/{name}/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BackupKey"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Backups"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/backups/bucket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BucketBackups"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/backups/bucket/{name}/fetch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Backups"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerHealth"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerAddress"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/address/seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    expires: number;
                    signature: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SeenAddress"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/updates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerUpdates"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ServerUpdatesChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerUpdates"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/server/updates/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerUpdates"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/updates/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/octet-stream": unknown;
                    "application/x-tar": unknown;
                    "application/gzip": unknown;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerUpdates"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/updates/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerUpdates"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/lan-name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerLanName"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ServerLanNameChoice"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerLanName"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/setup/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SetupStatus"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/setup/bootstrap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Bootstrap"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedIn"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Settings"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SettingsChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChangedSettings"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/feature-flags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FeatureFlags"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FeatureFlagChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FeatureFlags"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/institute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Institute"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlanPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPlan"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Plan"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Plan"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PlanChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Plan"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/platform/plans/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Plan"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    status?: "trialing" | "active" | "past_due" | "cancelled" | "expired";
                    expiringWithinDays?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SubscriptionPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/tenants/{id}/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewSubscription"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Subscription"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriptionChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Subscription"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/platform/subscriptions/{id}/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Renewal"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Subscription"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/subscriptions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Subscription"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlanUse"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedIn"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SecondStepOfLogin"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedInByCode"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PasskeyChallenge"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasskeyLogin"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedIn"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["TokenRefresh"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RefreshedTokens"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignInSessionPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CurrentUser"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/select-tenant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TenantSelection"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedIn"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordChange"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ForgottenPassword"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordReset"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewAccount"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedIn"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailVerification"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/resend-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["VerificationRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvitationAcceptance"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AcceptedInvitation"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserProfile"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProfileChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserProfile"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/me/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SecondFactor"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordAgain"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewSecondFactor"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FirstCode"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RecoveryCodes"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordAgain"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RecoveryCodes"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/second-factor/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordAgain"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Passkeys"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPasskey"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Passkey"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasskeyRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PasskeyOptions"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasskeyChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Passkey"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/members/{id}/reset-second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    membershipId?: string;
                    q?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemberSessionPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{id}/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                    sessionId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/roles/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["NewRolePreview"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RolePreview"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PermissionInfoPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RolePage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewRole"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Role"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/roles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Role"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RoleChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Role"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    isFamily?: boolean;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemberPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewMember"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Invitation"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MemberChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Member"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/members/{id}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MemberRoles"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Member"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{id}/resend-invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Invitation"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AuthorizationServerMetadata"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProtectedResourceMetadata"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProtectedResourceMetadata"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OAuthClientRegistration"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OAuthClient"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/consent-context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    clientId: string;
                    redirectUri: string;
                    scope?: string;
                    resource?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConsentContext"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Consent"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConsentGiven"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/x-www-form-urlencoded": components["schemas"]["OAuthTokenRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OAuthTokens"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/x-www-form-urlencoded": components["schemas"]["OAuthRevocation"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OAuthRevoked"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssistantGrantPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/grants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assistant-grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemberAssistantGrantPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{id}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssistantGrantPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{id}/grants/{grantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                    grantId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    action?: string;
                    entityType?: string;
                    entityId?: string;
                    actorUserId?: string;
                    from?: string;
                    to?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AuditEntryPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/tenants/{id}/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TenantDomainPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewTenantDomain"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TenantDomain"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/domains/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TenantDomain"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/domains/{id}/primary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TenantDomain"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/domains/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mail/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MailSettings"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewMailServer"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MailSettings"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mail/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MailTrial"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MailTrialResult"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/branches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Branch"][];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewBranch"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Branch"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/branches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BranchChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Branch"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/students": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    q?: string;
                    status?: "lead" | "active" | "paused" | "graduated" | "withdrawn";
                    branchId?: string;
                    groupId?: string;
                    tag?: string;
                    nationalId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudentPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewStudent"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Student"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudentDetail"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StudentChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudentDetail"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/students/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StudentStatusChange"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudentDetail"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/status/rehearsal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StudentStatusChange"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudentStatusConsequences"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/guardians": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkedGuardianPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewGuardianLink"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/guardians/{guardianId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                    guardianId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                    guardianId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GuardianLinkChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GuardianLink"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/guardians": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    q?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GuardianPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewGuardian"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Guardian"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Guardian"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GuardianChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Guardian"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/staff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    q?: string;
                    branchId?: string;
                    isActive?: boolean;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StaffPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewStaff"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Staff"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staff/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Staff"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StaffChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Staff"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/students/{id}/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["PersonInvitation"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Invitation"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians/{id}/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["PersonInvitation"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Invitation"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staff/{id}/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["StaffInvitation"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Invitation"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Merge"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudentMerge"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Merge"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GuardianMerge"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/course-categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CourseCategoryNode"][];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCourseCategory"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CourseCategory"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/course-categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CourseCategory"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CourseCategoryChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CourseCategory"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/courses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    q?: string;
                    categoryId?: string;
                    isActive?: boolean;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CoursePage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCourse"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Course"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/courses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Course"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CourseChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Course"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    courseId?: string;
                    branchId?: string;
                    teacherStaffId?: string;
                    status?: components["schemas"]["GroupStatus"];
                    q?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GroupPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewGroup"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Group"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Group"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GroupChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Group"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/groups/{id}/rehearsal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GroupChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GroupConsequences"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    status?: components["schemas"]["EnrollmentStatus"];
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GroupEnrollmentPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewEnrollments"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Enrolled"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    studentId?: string;
                    groupId?: string;
                    status?: components["schemas"]["EnrollmentStatus"];
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EnrollmentPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewEnrollment"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Enrollment"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrollments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Enrollment"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnrollmentChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Enrollment"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/enrollments/{id}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["EnrollmentDrop"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Enrollment"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrollments/{id}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnrollmentMove"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Enrollment"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrollments/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Enrollment"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EnrollmentPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/closures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    from?: string;
                    to?: string;
                    branchId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClosurePage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewClosure"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Closure"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/closures/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    year?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HolidayProposal"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/closures/many": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewClosures"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Closure"][];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/closures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Closure"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClosureChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Closure"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/groups/{id}/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScheduleRule"][];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewSchedule"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScheduleRule"][];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    from?: string;
                    to?: string;
                    status?: ("scheduled" | "held" | "cancelled")[];
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewSession"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}/sessions/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["SessionGeneration"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GeneratedSessions"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SessionChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/covers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    from?: string;
                    to?: string;
                    staffId?: string;
                    substituteStaffId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CoverPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staff/{id}/cover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCover"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CoverPlan"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CoverPlan"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/covers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedule-conflicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    from?: string;
                    to?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScheduleConflictPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/absences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    from?: string;
                    to?: string;
                    branchId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AbsencePage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/absences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AbsencePage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewAbsence"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Absence"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/absences/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnDetails"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/proposed-changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewProposal"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnProposal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/proposed-changes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proposed-changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    status?: "open" | "accepted" | "declined" | "withdrawn";
                    branchId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProposedChangePage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proposed-changes/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Acceptance"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProposedChange"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proposed-changes/{id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProposalRefusal"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProposedChange"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{id}/attendance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Roster"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AttendanceMarks"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Roster"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{id}/attendance/{studentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                    studentId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Roster"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{id}/walk-ins/candidates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    q: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WalkInCandidates"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{id}/walk-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewWalkIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Roster"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/walk-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    branchId?: string;
                    groupId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WalkInPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{id}/walk-ins/{studentId}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                    studentId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}/attendance/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    from?: string;
                    to?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AttendanceSummary"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}/attendance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    sessions?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AttendanceGrid"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/attendance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudentAttendancePage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    from?: string;
                    to?: string;
                    branchId?: string;
                    groupId?: string;
                    teacherStaffId?: string;
                    room?: string;
                    status?: ("scheduled" | "held" | "cancelled")[];
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TimetableSessionPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    from: string;
                    to: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScheduledSession"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/teaching/today": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TeachingDay"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/attendance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    from?: string;
                    to?: string;
                    studentId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnAttendance"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CalendarAddress"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CalendarAddress"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    file: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/calendar": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/calendar": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{groupId}/exams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    groupId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExamPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    groupId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewExam"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Exam"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exams/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Exam"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ExamChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Exam"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/exams/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Exam"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exams/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExamRosterEntryPage"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewExamResults"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExamResults"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}/gradebook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    exams?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Gradebook"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GradebookEntries"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExamResults"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/exam-results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudentExamResultPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/progress-reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    studentId?: string;
                    groupId?: string;
                    status?: "draft" | "sent";
                    submitted?: boolean;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListedProgressReportPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewProgressReport"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProgressReport"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/progress-reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProgressReport"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProgressReportChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProgressReport"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/progress-reports/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ProgressReportSending"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProgressReport"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/progress-reports/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProgressReportsSending"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SentProgressReports"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/progress-reports/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProgressReportIds"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SubmittedProgressReports"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/progress-reports/{id}/return": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProgressReportReturn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProgressReport"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}/progress-reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    periodStart?: string;
                    periodEnd?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClassReports"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/registrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewRegistration"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Registration"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Registration"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/courses/{courseId}/curriculum": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    courseId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Curriculum"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/courses/{courseId}/curriculum/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    courseId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CurriculumSummary"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/courses/{courseId}/sections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    courseId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewSection"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CurriculumSection"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/courses/{courseId}/sections/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    courseId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewOrder"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Sections"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SectionChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CurriculumSection"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/sections/{id}/lessons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewLesson"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Lesson"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sections/{id}/lessons/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewOrder"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Lessons"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lessons/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Lesson"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LessonChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Lesson"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/lessons/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Lesson"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lessons/{id}/unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Lesson"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lessons/{id}/video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["VideoLink"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Lesson"];
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/courses/{courseId}/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    status?: "pending" | "active" | "completed" | "dropped";
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    courseId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListedCourseEnrollmentPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    courseId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCourseEnrollment"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CourseEnrollment"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}/course-enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewGroupGrants"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GroupGrants"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/course-enrollments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: {
                    reason?: string;
                };
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/courses/{courseId}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    courseId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CourseProgressPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/courses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnCoursePage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/courses/{courseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    courseId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnCourseDetail"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/lessons/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CompletedLesson"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounting/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    from: string;
                    to: string;
                    currency?: components["schemas"]["Currency"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounting/uniform-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    from: string;
                    to: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/zip": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/zip": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    status?: components["schemas"]["InvoiceStatus"][];
                    overdue?: boolean;
                    q?: string;
                    studentId?: string;
                    branchId?: string;
                    dueFrom?: string;
                    dueTo?: string;
                    issuedFrom?: string;
                    issuedTo?: string;
                    groupId?: string;
                    courseId?: string;
                    sort?: "createdAt" | "dueDate";
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListedInvoicePage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewInvoice"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InvoiceDetail"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InvoiceDetail"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InvoiceDetail"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/invoices/{id}/issue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["IssuedInvoice"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Reason"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InvoiceDetail"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/payer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoicePayer"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InvoiceDetail"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/remind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/issue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceIds"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["IssuedInvoices"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/remind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoicesToRemind"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RemindedInvoices"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListedInvoicePage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    from?: string;
                    to?: string;
                    currency?: components["schemas"]["Currency"];
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Statement"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPayment"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Payment"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    invoiceId?: string;
                    studentId?: string;
                    from?: string;
                    to?: string;
                    method?: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PaymentPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewReceipt"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Receipt"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Reason"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Payment"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Payment"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BillingSummary"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    from?: string;
                    to?: string;
                    q?: string;
                    method?: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
                    branchId?: string;
                    groupId?: string;
                    courseId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReceiptPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receipts/sums": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    from?: string;
                    to?: string;
                    q?: string;
                    method?: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
                    branchId?: string;
                    groupId?: string;
                    courseId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReceiptSums"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receipts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Receipt"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receipts/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Receipt"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians/{id}/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    currency?: components["schemas"]["Currency"];
                    scope?: "own" | "family";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Account"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    currency?: components["schemas"]["Currency"];
                    scope?: "own" | "family";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Account"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians/{id}/account/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    currency?: components["schemas"]["Currency"];
                    scope?: "own" | "family";
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AccountEntryPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/account/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    currency?: components["schemas"]["Currency"];
                    scope?: "own" | "family";
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AccountEntryPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApplyCredit"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AppliedCredit"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receipts/{id}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Reason"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Receipt"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/credit-notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCreditNote"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreditNote"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credit-notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    invoiceId?: string;
                    number?: string;
                    from?: string;
                    to?: string;
                    branchId?: string;
                    groupId?: string;
                    courseId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreditNotePage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credit-notes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreditNote"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    guardianId?: string;
                    studentId?: string;
                    number?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RefundPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewRefund"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refund"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refund"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cheques": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    status?: components["schemas"]["ChequeStatus"];
                    dueFrom?: string;
                    dueTo?: string;
                    q?: string;
                    guardianId?: string;
                    studentId?: string;
                    branchId?: string;
                    receiptId?: string;
                    depositId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChequePage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCheques"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Receipt"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cheques/{id}/bounce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Bounce"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cheque"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cheques/{id}/return": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GiveBack"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cheque"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cheques/{id}/clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cheque"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cheques/{id}/replace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Replacement"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Receipt"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cheques/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChequeDepositPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewChequeDeposit"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChequeDeposit"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cheque-deposits/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChequeDeposit"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cheques/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cheque"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tills/today": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenTill"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tills/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    closeId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TillEntryPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tills/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CloseTill"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TillClose"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tills/closes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    userId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TillClosePage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tills/closes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TillClose"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PaymentProviderPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-providers/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    provider: "stripe" | "payplus";
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentProviderChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PaymentProvider"];
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    provider: "stripe" | "payplus";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-providers/{provider}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    provider: "stripe" | "payplus";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PaymentProviderTrial"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/pay-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PayLink"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CardPage"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/online-payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    invoiceId?: string;
                    state?: "opening" | "open" | "pending" | "paid" | "failed" | "expired";
                    attention?: boolean;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OnlinePaymentPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/online-payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OnlinePayment"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/online-payments/{id}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OnlinePayment"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-notices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProviderNotice"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fee-schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    kind?: "per_group" | "per_course" | "one_off" | "registration";
                    isActive?: boolean;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FeeSchedulePage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewFeeSchedule"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FeeSchedule"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fee-schedules/rehearsal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewFeeSchedule"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FeeConsequences"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fee-schedules/{id}/rehearsal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FeeScheduleChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FeeConsequences"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fee-schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FeeSchedule"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FeeScheduleChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FeeSchedule"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/students/{id}/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    month?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Prices"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrollments/{id}/price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    month?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Prices"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    month?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BillingRunSummaryPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewBillingRun"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BillingRun"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BillingRun"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/runs/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Reason"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["VoidedRun"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    studentId?: string;
                    guardianId?: string;
                    courseId?: string;
                    groupId?: string;
                    at?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DiscountPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewDiscount"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Discount"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Discount"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DiscountChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Discount"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/groups/rollover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewRollover"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Rollover"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Rollover"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}/waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WaitingEntryPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewWaitingEntry"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WaitingEntry"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}/waiting/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WaitingOrder"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/waiting/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/waiting/{id}/offer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WaitingEntry"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/waiting/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Enrollment"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/waiting/{id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    locale?: components["schemas"]["Locale"];
                    copy?: boolean;
                    replaced?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receipts/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    locale?: components["schemas"]["Locale"];
                    copy?: boolean;
                    size?: "a4" | "80mm";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cheque-deposits/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    locale?: components["schemas"]["Locale"];
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/statement/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    from?: string;
                    to?: string;
                    currency?: components["schemas"]["Currency"];
                    locale?: components["schemas"]["Locale"];
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credit-notes/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    locale?: components["schemas"]["Locale"];
                    copy?: boolean;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    locale?: components["schemas"]["Locale"];
                    copy?: boolean;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians/{id}/account/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    currency?: components["schemas"]["Currency"];
                    scope?: "own" | "family";
                    from?: string;
                    to?: string;
                    locale?: components["schemas"]["Locale"];
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/account/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    currency?: components["schemas"]["Currency"];
                    scope?: "own" | "family";
                    from?: string;
                    to?: string;
                    locale?: components["schemas"]["Locale"];
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tills/closes/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    locale?: components["schemas"]["Locale"];
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/progress-reports/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    locale?: components["schemas"]["Locale"];
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}/roster/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    sessions?: number;
                    locale?: components["schemas"]["Locale"];
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}/contacts/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    locale?: components["schemas"]["Locale"];
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrollments/{id}/certificate/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    locale?: components["schemas"]["Locale"];
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians/{id}/family-summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FamilySummary"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/family": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnFamily"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/students/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnStudent"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/students/{id}/courses/{courseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    courseId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnCourseDetail"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/students/{id}/money": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnStudentMoney"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/directory/students": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    q?: string;
                    status?: "lead" | "active" | "paused" | "graduated" | "withdrawn";
                    branchId?: string;
                    groupId?: string;
                    tag?: string;
                    sort?: "name" | "newest";
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DirectoryStudentPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/directory/guardians": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    q?: string;
                    guardianId?: string;
                    studentId?: string;
                    groupId?: string;
                    sort?: "name" | "newest";
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DirectoryGuardianPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GroupContactPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/attendance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    branchId?: string;
                    groupId?: string;
                    courseId?: string;
                    from?: string;
                    to?: string;
                    by?: "group" | "student" | "weekday" | "month";
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AttendanceReport"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/income": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    branchId?: string;
                    groupId?: string;
                    courseId?: string;
                    from?: string;
                    to?: string;
                    by?: "month" | "branch" | "course" | "method";
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["IncomeReport"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/income/collected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    branchId?: string;
                    groupId?: string;
                    courseId?: string;
                    from?: string;
                    to?: string;
                    method?: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
                    currency?: components["schemas"]["Currency"];
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Collected"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/debts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    branchId?: string;
                    groupId?: string;
                    courseId?: string;
                    by?: "payer" | "family";
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DebtsReport"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/enrollment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    branchId?: string;
                    groupId?: string;
                    courseId?: string;
                    from?: string;
                    to?: string;
                    by?: "month" | "group" | "month_group";
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EnrollmentReport"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/enrollment/moves": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    branchId?: string;
                    groupId?: string;
                    courseId?: string;
                    from?: string;
                    to?: string;
                    what?: "joined" | "left" | "enrolled";
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EnrollmentMoves"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/staff-hours": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    branchId?: string;
                    groupId?: string;
                    courseId?: string;
                    from?: string;
                    to?: string;
                    teacherStaffId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StaffHoursReport"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Dashboard"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/absent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    date?: string;
                    branchId?: string;
                    groupId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AbsentStudentPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    branchId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Attention"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    q: string;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SearchResults"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiKeyPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreatedApiKey"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiKey"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApiKeyChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiKey"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/files/upload-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UploadRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UploadAddress"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UploadCompletion"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["File"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["File"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/of/{entityType}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    entityType: "student" | "guardian" | "staff" | "branch" | "course" | "group" | "invoice" | "progress_report" | "session" | "exam";
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FilePage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{institute}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    expires: number;
                    signature: string;
                };
                header?: never;
                path: {
                    institute: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/jpeg": unknown;
                        "image/png": unknown;
                        "image/webp": unknown;
                        "image/gif": unknown;
                        "application/pdf": unknown;
                        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": unknown;
                        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                        "application/vnd.oasis.opendocument.spreadsheet": unknown;
                        "application/vnd.ms-excel": unknown;
                        "text/csv": unknown;
                        "text/tab-separated-values": unknown;
                        "application/zip": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/jpeg": unknown;
                        "image/png": unknown;
                        "image/webp": unknown;
                        "image/gif": unknown;
                        "application/pdf": unknown;
                        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": unknown;
                        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                        "application/vnd.oasis.opendocument.spreadsheet": unknown;
                        "application/vnd.ms-excel": unknown;
                        "text/csv": unknown;
                        "text/tab-separated-values": unknown;
                        "application/zip": unknown;
                    };
                };
            };
        };
        put: {
            parameters: {
                query: {
                    expires: number;
                    size: number;
                    type: string;
                    signature: string;
                };
                header?: never;
                path: {
                    institute: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "image/jpeg": unknown;
                    "image/png": unknown;
                    "image/webp": unknown;
                    "image/gif": unknown;
                    "application/pdf": unknown;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "application/vnd.oasis.opendocument.spreadsheet": unknown;
                    "application/vnd.ms-excel": unknown;
                    "text/csv": unknown;
                    "text/tab-separated-values": unknown;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ExportRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Export"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Erasure"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Erased"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians/{id}/erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Erasure"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Erased"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/zip": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/zip": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians/{id}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/zip": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/zip": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    kind?: "students" | "staff" | "enrollments" | "balances";
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewImport"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Import"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Import"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{id}/refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}/class-list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClassList"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClassListOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClassListOutcome"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    q?: string;
                    status?: "new" | "contacted" | "converted" | "lost";
                    courseId?: string;
                    assignedToUserId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LeadPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewLead"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Lead"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Lead"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LeadChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Lead"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/leads/{id}/convert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Student"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    unreadOnly?: "true" | "false";
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/notifications/unread-count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnreadNotifications"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/notifications/read-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationsRead"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/notifications/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationsRead"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationPreferences"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewNotificationPreferences"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationPreferences"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationTemplatePage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewNotificationTemplate"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationTemplate"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NotificationTemplateChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationTemplate"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/notifications/reach": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    branchId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FamilyReach"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    status?: "open" | "told" | "not_needed";
                    sourceId?: string;
                    recipientId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationCallPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/calls/{id}/told": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TellByHand"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationCall"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationCall"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/calls/told": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TellAllByHand"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ToldByHand"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewNotification"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["QueuedNotifications"];
                    };
                };
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["QueuedNotifications"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    status?: components["schemas"]["NotificationStatus"];
                    channel?: components["schemas"]["NotificationChannel"];
                    templateKey?: string;
                    recipientId?: string;
                    sourceId?: string;
                    sentByUserId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationLogEntryPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    month?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationUsage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/stuck": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StuckChannels"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationLogMessage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/stuck/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RetryStuckMessages"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RetriedStuckMessages"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/stuck/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RetryStuckMessages"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RetriedStuckMessages"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/{id}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationLogEntry"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationLogEntry"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnPushDevicePage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPushDevice"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PushDevice"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/push-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PushKey"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/devices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationProviderPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-providers/{channel}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    channel: "email" | "sms" | "whatsapp" | "push";
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewNotificationProvider"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationProvider"];
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    channel: "email" | "sms" | "whatsapp" | "push";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-providers/{channel}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    channel: "email" | "sms" | "whatsapp" | "push";
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["NotificationProviderTrial"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationProviderTrialResult"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventInfoPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookEndpointPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewWebhookEndpoint"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreatedWebhookEndpoint"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookEndpointChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookTestResult"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["SecretRotation"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RotatedSecret"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    status?: components["schemas"]["DeliveryStatus"];
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookDeliveryPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    deliveryId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookSending"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                    deliveryId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    id?: string[];
                    q?: string;
                    status?: "active" | "suspended" | "archived";
                    deploymentMode?: "cloud" | "self_hosted";
                    createdIn?: string;
                    archivedIn?: string;
                    lockedIn?: string;
                    cancelledIn?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListedTenantPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPlatformTenant"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AddedTenant"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/tenants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TenantOverview"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TenantChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Tenant"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/platform/tenants/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Tenant"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/tenants/{id}/impersonate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ImpersonationRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Impersonation"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/tenants/{id}/lock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TenantLock"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Tenant"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/tenants/{id}/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Tenant"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    months?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformMonthPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    id?: string[];
                    email?: string;
                    status?: "active" | "disabled";
                    isPlatformAdmin?: boolean;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformUserPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPlatformUser"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformUser"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PlatformUserChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformUser"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/platform/users/{id}/reset-second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordAgain"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformUser"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobQueuePage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/queues/{name}/retry-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RetriedJobs"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/queues/{name}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["QueuePause"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobQueue"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/queues/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobQueue"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/lanes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobLanes"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    state?: "queued" | "paused" | "running" | "failed";
                    name?: string;
                    tenantId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["QueuedJobPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/jobs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobReply"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobReply"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    action?: string;
                    entityType?: string;
                    entityId?: string;
                    actorUserId?: string;
                    from?: string;
                    to?: string;
                    tenantId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AuditEntryPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/licenses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    tenantId?: string;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LicensePage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewLicense"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["License"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/licenses/{licenseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    licenseId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["License"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    licenseId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LicenseChanges"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["License"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/platform/licenses/{licenseId}/installs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    format?: "json" | "csv" | "xlsx";
                };
                header?: never;
                path: {
                    licenseId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LicenseInstallPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/licenses/{licenseId}/lock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    licenseId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LicenseLock"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LicenseCommand"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/licenses/{licenseId}/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    licenseId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LicenseCommand"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/licenses/{licenseId}/unlock-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path: {
                    licenseId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LicenseUnlockToken"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/licenses/lan-name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LanNameRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LanNameEnvelope"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/license": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LicenseStatus"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LicenseActivation"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LicenseStatus"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/license/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LicenseUnlock"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LicenseStatus"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/https": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerHttps"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ServerHttpsChoice"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerHttps"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/https/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerHttps"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Absence: {
            id: string;
            studentId: string;
            studentName: string;
            from: string;
            to: string;
            reason: string;
            byGuardianId: string | null;
            createdAt: string;
        };
        AbsencePage: {
            data: components["schemas"]["Absence"][];
            nextCursor: string | null;
        };
        AbsentContact: {
            guardianId: string;
            fullName: string;
            relationship: "mother" | "father" | "grandparent" | "sibling" | "spouse" | "guardian" | "other";
            phone: string | null;
        };
        AbsentStudent: {
            sessionId: string;
            groupId: string;
            groupName: string;
            scheduledStart: string;
            studentId: string;
            studentName: string;
            status: "absent" | "excused";
            note: string | null;
            announcedReason: string | null;
            isTold: boolean;
            isWaiting: boolean;
            contact: components["schemas"]["AbsentContact"] | null;
        };
        AbsentStudentPage: {
            data: components["schemas"]["AbsentStudent"][];
            nextCursor: string | null;
        };
        Acceptance: {
            seen: string;
            fields?: ("firstName" | "lastName" | "birthDate" | "phone" | "email" | "nationalId" | "address")[];
            remark?: string;
        };
        AcceptedInvitation: {
            tenantId: string;
            membershipId: string;
            userId: string;
        };
        Account: {
            currency: components["schemas"]["Currency"];
            balance: components["schemas"]["Money"];
            owed: components["schemas"]["Money"];
            credit: components["schemas"]["Money"];
            held: components["schemas"]["Money"];
            otherCurrencies: components["schemas"]["AccountInCurrency"][];
            entries: components["schemas"]["AccountEntryPage"];
        };
        AccountEntry: {
            date: string;
            kind: "invoice" | "void" | "payment" | "reversal" | "bounced" | "paid_ahead" | "opening_balance" | "credit_applied" | "credit_note" | "refund";
            reference: string;
            invoiceId: string | null;
            receiptId: string | null;
            creditNoteId: string | null;
            refundId: string | null;
            studentId: string | null;
            studentName: string | null;
            debit: components["schemas"]["Money"];
            credit: components["schemas"]["Money"];
            balance: components["schemas"]["Money"];
        };
        AccountEntryPage: {
            data: components["schemas"]["AccountEntry"][];
            nextCursor: string | null;
        };
        AccountInCurrency: {
            currency: components["schemas"]["Currency"];
            balance: components["schemas"]["Money"];
            owed: components["schemas"]["Money"];
            credit: components["schemas"]["Money"];
            held: components["schemas"]["Money"];
        };
        AddedTenant: {
            id: string;
            slug: string;
            name: string;
            status: "active" | "suspended" | "archived";
            defaultLocale: components["schemas"]["Locale"];
            timezone: string;
            currency: components["schemas"]["Currency"];
            deploymentMode: "cloud" | "self_hosted";
            autoLockOverride: "inherit" | "on" | "off";
            lockedAt: string | null;
            lockedReason: string | null;
            lockedByPlatformAdminId: string | null;
            createdBy: string | null;
            features: components["schemas"]["FeatureOverrides"];
            createdAt: string;
            updatedAt: string;
            ownerMail: components["schemas"]["OwnerMail"];
        };
        Address: {
            line1?: string;
            line2?: string;
            city?: string;
            region?: string;
            postalCode?: string;
            country?: string;
        };
        Allocation: {
            invoiceId: string;
            amountMinor: number;
        };
        AnnouncedOnRoster: {
            absenceId: string;
            reason: string;
            proposed: components["schemas"]["AttendanceStatus"];
        };
        ApiKey: {
            id: string;
            name: string;
            kind: "secret" | "publishable";
            keyPrefix: string;
            permissions: components["schemas"]["Permission"][];
            allowedOrigins: string[];
            rateLimitPerMin: number | null;
            effectiveRateLimitPerMin: number;
            lastUsedAt: string | null;
            expiresAt: string | null;
            revokedAt: string | null;
            createdAt: string;
        };
        ApiKeyChanges: {
            rateLimitPerMin: number | null;
        };
        ApiKeyPage: {
            data: components["schemas"]["ApiKey"][];
            nextCursor: string | null;
        };
        AppliedCredit: {
            allocations: components["schemas"]["AppliedPart"][];
            credit: components["schemas"]["Money"];
        };
        AppliedPart: {
            invoiceId: string;
            number: string;
            amount: components["schemas"]["Money"];
        };
        ApplyCredit: {
            guardianId?: string;
            studentId?: string;
            currency?: components["schemas"]["Currency"];
            allocations?: components["schemas"]["CreditAllocation"][];
        };
        AskingClient: {
            clientId: string;
            name: string;
            uri: string | null;
            verified: boolean;
        };
        AssistantGrant: {
            id: string;
            clientName: string;
            clientUri: string | null;
            tenantId: string;
            tenantName: string;
            scopes: string[];
            createdAt: string;
            lastUsedAt: string;
        };
        AssistantGrantPage: {
            data: components["schemas"]["AssistantGrant"][];
            nextCursor: string | null;
        };
        AttendanceGrid: {
            sessions: components["schemas"]["GridSession"][];
            students: components["schemas"]["GridStudent"][];
        };
        AttendanceMark: {
            studentId: string;
            status: components["schemas"]["AttendanceStatus"];
            /**
             * Format: int64
             * @default 0
             */
            minutesLate?: number;
            note?: string | null;
        };
        AttendanceMarks: {
            version?: number;
            entries: components["schemas"]["AttendanceMark"][];
        };
        AttendanceRate: {
            present: number;
            absent: number;
            late: number;
            excused: number;
            totalHeld: number;
            rate: number | null;
        };
        AttendanceReport: {
            from: string;
            to: string;
            lessons: number;
            present: number;
            absent: number;
            late: number;
            excused: number;
            rate: number | null;
            data: components["schemas"]["AttendanceReportRow"][];
            nextCursor: string | null;
        };
        AttendanceReportRow: {
            studentId: string | null;
            studentName: string | null;
            groupId: string | null;
            groupName: string | null;
            weekday: number | null;
            month: string | null;
            lessons: number;
            present: number;
            absent: number;
            late: number;
            excused: number;
            rate: number | null;
        };
        AttendanceSettings: {
            lateAfterMinutes: number;
        };
        AttendanceSettingsChanges: {
            lateAfterMinutes?: number;
        };
        AttendanceStatus: "present" | "absent" | "late" | "excused";
        AttendanceSummary: {
            groupId: string;
            from: string;
            to: string;
            students: components["schemas"]["StudentAttendanceSummary"][];
        };
        Attention: {
            date: string;
            unmarkedSessions: components["schemas"]["UnmarkedSessions"] | null;
            invoicesDueToday: components["schemas"]["InvoicesToLookAt"] | null;
            invoicesOverdue: components["schemas"]["InvoicesToLookAt"] | null;
            chequesDue: components["schemas"]["ChequesToLookAt"] | null;
            chequesComing: components["schemas"]["ChequesToLookAt"] | null;
            chequesBounced: components["schemas"]["ChequesToLookAt"] | null;
            walkIns: number | null;
            proposedChanges: number | null;
            newLeads: number | null;
            freePlaces: components["schemas"]["FreePlace"][] | null;
            failedMessages: number | null;
            callsToMake: number | null;
            backup: components["schemas"]["LastBackup"] | null;
            license: components["schemas"]["LicenseStatus"] | null;
            planLimits: components["schemas"]["PlanLimitUse"][] | null;
            planEnd: components["schemas"]["PlanEnd"] | null;
            setUp: components["schemas"]["SetUpSteps"] | null;
        };
        AuditEntry: {
            id: string;
            tenantId: string | null;
            actorUserId: string | null;
            actorType: string;
            actorName: string | null;
            channel: string;
            action: string;
            entityType: string;
            entityId: string | null;
            studentName: string | null;
            groupName: string | null;
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            requestId: string | null;
            ip: string | null;
            createdAt: string;
        };
        AuditEntryPage: {
            data: components["schemas"]["AuditEntry"][];
            nextCursor: string | null;
        };
        AuthorizationServerMetadata: {
            issuer: string;
            authorization_endpoint: string;
            token_endpoint: string;
            registration_endpoint: string;
            revocation_endpoint: string;
            scopes_supported: string[];
            response_types_supported: string[];
            response_modes_supported: string[];
            grant_types_supported: string[];
            token_endpoint_auth_methods_supported: string[];
            revocation_endpoint_auth_methods_supported: string[];
            code_challenge_methods_supported: string[];
            authorization_response_iss_parameter_supported: boolean;
            client_id_metadata_document_supported: boolean;
            service_documentation: string;
        };
        BackupAddress: {
            url: string;
            expiresAt: string;
        };
        BackupContents: {
            sizeBytes: number;
            isReading: boolean;
            held: components["schemas"]["BackupHeld"] | null;
            reason: ("not_a_backup" | "damaged" | "newer" | "postgres_dump" | "postgres_here" | "needs_key" | "wrong_key" | "no_master_key" | "disk_full" | "set_up_meanwhile" | "interrupted" | "failed") | null;
            detail: string;
            since: components["schemas"]["SinceBackup"] | null;
        };
        BackupDownload: {
            password: string;
        };
        BackupHeld: {
            institute: string | null;
            createdAt: string;
            version: string;
            students: number | null;
            guardians: number | null;
            staff: number | null;
            invoices: number | null;
            payments: number | null;
            files: number;
            lastChangeAt: string | null;
        };
        BackupKey: {
            key: string;
        };
        BackupRestore: {
            password: string;
            key?: string;
        };
        Backups: {
            canMake: boolean;
            nextNightlyAt: string | null;
            isMaking: boolean;
            failedAt: string | null;
            state: "ok" | "warning" | "wrong";
            offServer: "none" | "ok" | "failed";
            mostBytes: number;
            bucket: components["schemas"]["BucketState"] | null;
            kept: components["schemas"]["KeptBackup"][];
        };
        BilledAnyway: {
            studentId: string;
            feeScheduleId: string;
        };
        BilledInvoice: {
            id: string | null;
            branchId: string;
            number: string | null;
            studentId: string;
            status: components["schemas"]["InvoiceStatus"];
            issueDate: string;
            dueDate: string;
            subtotal: components["schemas"]["Money"];
            discount: components["schemas"]["Money"];
            tax: components["schemas"]["Money"];
            total: components["schemas"]["Money"];
            paid: components["schemas"]["Money"];
            credited: components["schemas"]["Money"];
            footer: string | null;
            studentName: string;
        };
        BillingRun: {
            id: string | null;
            month: string;
            dryRun: boolean;
            created: number;
            skipped: components["schemas"]["SkippedFee"][];
            uncharged: components["schemas"]["UnchargedFee"][];
            invoices: components["schemas"]["BilledInvoice"][];
        };
        BillingRunSummary: {
            id: string;
            month: string;
            createdAt: string;
            finishedAt: string | null;
            billed: number;
            drafts: number;
            voided: number;
            totals: components["schemas"]["Money"][];
            skipped: components["schemas"]["SkippedCount"][] | null;
        };
        BillingRunSummaryPage: {
            data: components["schemas"]["BillingRunSummary"][];
            nextCursor: string | null;
        };
        BillingSummary: {
            currency: components["schemas"]["Currency"];
            outstanding: components["schemas"]["Money"];
            collectedThisMonth: components["schemas"]["Money"];
            overdueCount: number;
            overdueTotal: components["schemas"]["Money"];
            byStatus: components["schemas"]["InvoiceCounts"];
        };
        Bootstrap: {
            setupToken: string;
            institute: components["schemas"]["NewInstitute"];
            owner: components["schemas"]["NewOwner"];
        };
        Bounce: {
            reason: string;
            feeMinor?: number;
        };
        Branch: {
            id: string;
            tenantId: string;
            name: string;
            code: string | null;
            address: components["schemas"]["Address"] | null;
            phone: string | null;
            isDefault: boolean;
            isActive: boolean;
            createdAt: string;
            updatedAt: string;
        };
        BranchChanges: {
            name?: string;
            code?: string | null;
            address?: components["schemas"]["Address"] | null;
            phone?: string | null;
            isDefault?: boolean;
            isActive?: boolean;
        };
        Branding: {
            logoFileId: string | null;
            color: string | null;
        };
        BrandingChanges: {
            logoFileId?: string | null;
            color?: string | null;
        };
        BucketBackup: {
            name: string;
            createdAt: string;
            sizeBytes: number;
        };
        BucketBackups: {
            kept: components["schemas"]["BucketBackup"][];
            reason: ("unreachable" | "no_answer" | "other_protocol" | "certificate" | "no_store" | "wrong_key" | "wrong_secret" | "clock" | "no_bucket" | "other_region" | "may_not_list" | "may_not_read" | "failed" | "disk_full") | null;
            detail: string;
        };
        BucketFetch: {
            name: string;
            sizeBytes: number;
            gotBytes: number;
        };
        BucketState: {
            name: string;
            fetched: components["schemas"]["BucketFetch"] | null;
            reason: ("unreachable" | "no_answer" | "other_protocol" | "certificate" | "no_store" | "wrong_key" | "wrong_secret" | "clock" | "no_bucket" | "other_region" | "may_not_list" | "may_not_read" | "failed" | "disk_full") | null;
            detail: string;
        };
        CalendarAddress: {
            url: string | null;
        };
        CalledRecipient: {
            kind: "student" | "guardian";
            id: string;
            name: string;
        };
        Captcha: {
            provider: components["schemas"]["CaptchaProvider"];
        };
        CaptchaChanges: {
            provider: components["schemas"]["CaptchaProvider"];
            secret?: string;
        };
        CaptchaProvider: "turnstile" | "hcaptcha" | "recaptcha";
        CardPage: {
            url: string;
            expiresAt: string;
        };
        CertificateOrder: {
            at: string;
            result: "ok" | "failed";
            reason: ("no_name" | "name_is_local" | "name_leads_nowhere" | "unreachable" | "not_reached" | "other_answers" | "name_refused" | "too_often" | "authority" | "no_license" | "vendor_unreachable" | "vendor_has_none" | "not_known_yet" | "license_refused" | "license_locked" | "license_ended" | "too_many_names" | "clock_wrong" | "vendor_failed" | "no_lan_address") | null;
            detail: string;
        };
        ChangedSettings: {
            name: string;
            defaultLocale: components["schemas"]["Locale"];
            timezone: string;
            currency: components["schemas"]["Currency"];
            baseUrl: string | null;
            invoiceDueDays: number;
            applyCredit: boolean;
            siblingDiscounts: components["schemas"]["SiblingDiscount"][];
            offerDays: number;
            teacherMessagesPerDay: number;
            reportsApproval: boolean;
            invoiceFooter: string | null;
            terms: components["schemas"]["Term"][];
            attendance: components["schemas"]["AttendanceSettings"];
            curriculum: components["schemas"]["CurriculumSettings"];
            registration: components["schemas"]["RegistrationSettings"];
            papers: components["schemas"]["PaperSettings"];
            quietHours: components["schemas"]["QuietHours"] | null;
            quietDays: components["schemas"]["QuietDays"];
            branding: components["schemas"]["Branding"];
            version: number;
            movedSessions: number | null;
        };
        ChannelUsage: {
            channel: components["schemas"]["NotificationChannel"];
            messages: number;
        };
        Cheque: {
            id: string;
            branchId: string;
            receiptId: string;
            receiptNumber: string;
            guardianId: string | null;
            studentId: string | null;
            payerName: string;
            bank: string;
            branch: string;
            account: string;
            number: string;
            amount: components["schemas"]["Money"];
            dueOn: string;
            status: components["schemas"]["ChequeStatus"];
            allocations: components["schemas"]["ChequePart"][];
            depositId: string | null;
            reason: string | null;
            feeInvoiceId: string | null;
            replacedByReceiptId: string | null;
            createdAt: string;
            updatedAt: string;
        };
        ChequeDeposit: {
            id: string;
            number: string;
            branchId: string;
            bankAccount: string;
            depositedOn: string;
            amount: components["schemas"]["Money"];
            cheques: components["schemas"]["Cheque"][];
            createdAt: string;
        };
        ChequeDepositPage: {
            data: components["schemas"]["ChequeDeposit"][];
            nextCursor: string | null;
        };
        ChequeDetails: {
            bank: string;
            branch: string;
            account: string;
            number: string;
        };
        ChequePage: {
            data: components["schemas"]["Cheque"][];
            nextCursor: string | null;
        };
        ChequePart: {
            invoiceId: string;
            invoiceNumber: string;
            amount: components["schemas"]["Money"];
        };
        ChequeStatus: "held" | "due" | "deposited" | "cleared" | "bounced" | "returned" | "replaced";
        ChequesInTill: {
            count: number;
            total: components["schemas"]["Money"];
        };
        ChequesOfClose: {
            count: number;
            total: components["schemas"]["Money"];
            counted: number | null;
        };
        ChequesToLookAt: {
            count: number;
            amount: components["schemas"]["Money"];
        };
        ClassList: {
            text: string;
            choices?: components["schemas"]["ClassListChoice"][];
            lastNameFirst?: boolean;
            dryRun?: boolean;
        };
        ClassListChoice: {
            line: number;
            take: "student" | "new" | "nobody";
            studentId?: string | null;
        };
        ClassListLine: {
            line: number;
            text: string;
            outcome: "enrolled" | "registered" | "already" | "choose" | "refused" | "left_out";
            student: components["schemas"]["ClassListStudent"] | null;
            person: components["schemas"]["ClassListPerson"] | null;
            candidates: components["schemas"]["ClassListStudent"][];
            reason: ("file_gone" | "not_a_table" | "old_workbook" | "empty_file" | "too_many_rows" | "too_many_columns" | "too_large" | "reader_ended" | "column_missing" | "column_unknown" | "permission_missing" | "no_longer_allowed" | "rows_refused" | "server_error" | "formula_without_value" | "missing" | "too_long" | "not_valid" | "not_a_date" | "ambiguous_date" | "in_future" | "not_a_phone" | "not_an_email" | "not_an_amount" | "negative_amount" | "not_a_choice" | "wrong_number" | "identity_missing" | "number_of_another" | "ambiguous" | "too_many_of_one" | "unknown_student" | "unknown_group" | "unknown_branch" | "out_of_reach" | "balance_exists" | "quota_exceeded" | "guardian_phone_taken" | "guardian_name_differs" | "own_account_link" | "status_move_refused" | "student_numbers_used_up" | "cannot_enroll" | "group_full" | "sums_full" | "refused") | null;
            field: string | null;
        };
        ClassListOutcome: {
            dryRun: boolean;
            isReady: boolean;
            enrolled: number;
            registered: number;
            lines: components["schemas"]["ClassListLine"][];
        };
        ClassListPerson: {
            firstName: string;
            lastName: string;
            nationalId: string | null;
            phone: string | null;
            birthDate: string | null;
            guardians: string[];
        };
        ClassListStudent: {
            id: string;
            fullName: string;
            studentNumber: string;
        };
        ClassReports: {
            groupId: string;
            periodStart: string;
            periodEnd: string;
            students: components["schemas"]["StudentProgress"][];
        };
        CloseTill: {
            counted: components["schemas"]["CountedMethod"][];
            countedCheques?: components["schemas"]["CountedCheques"][];
            note?: string | null;
            entries?: number;
        };
        ClosedDays: {
            name: string;
            from: string;
            to: string;
        };
        Closure: {
            id: string;
            name: string;
            from: string;
            to: string;
            branchId: string | null;
            isBilled: boolean;
            cancelledSessions: number;
            version: number;
            createdAt: string;
            updatedAt: string;
        };
        ClosureChanges: {
            name?: string;
            from?: string;
            to?: string;
            branchId?: string | null;
            isBilled?: boolean;
            version?: number;
        };
        ClosurePage: {
            data: components["schemas"]["Closure"][];
            nextCursor: string | null;
        };
        Collected: {
            from: string;
            to: string;
            totals: components["schemas"]["Money"][];
            data: components["schemas"]["CollectedRow"][];
            nextCursor: string | null;
        };
        CollectedRow: {
            id: string;
            receivedAt: string;
            kind: "payment" | "paid_ahead" | "reversal" | "bounced" | "refund";
            payerName: string;
            studentName: string | null;
            method: ("cash" | "card" | "bank_transfer" | "cheque" | "online" | "other") | null;
            receiptId: string | null;
            receiptNumber: string | null;
            refundNumber: string | null;
            invoiceId: string | null;
            invoiceNumber: string | null;
            amount: components["schemas"]["Money"];
        };
        CompletedLesson: {
            lessonId: string;
            courseId: string;
            completedAt: string;
            status: "pending" | "active" | "completed" | "dropped";
            lessonCount: number;
            completedCount: number;
            lastCompletedAt: string | null;
        };
        Consent: {
            clientId: string;
            redirectUri: string;
            scope?: string;
            resource?: string;
            approve: boolean;
            codeChallenge: string;
            codeChallengeMethod: "S256";
            state?: string;
            tenantId?: string;
        };
        ConsentContext: {
            client: components["schemas"]["AskingClient"];
            redirectHost: string;
            scopes: string[];
            resource: string;
            tenants: components["schemas"]["ConsentTenant"][];
        };
        ConsentGiven: {
            redirectTo: string;
        };
        ConsentTenant: {
            tenantId: string;
            tenantName: string;
            membershipId: string;
            allowed: boolean;
            permissions: string[];
        };
        ContactGuardian: {
            guardianId: string;
            fullName: string;
            relationship: "mother" | "father" | "grandparent" | "sibling" | "spouse" | "guardian" | "other";
            phone: string | null;
            isPrimary: boolean;
        };
        CountedCheques: {
            currency?: components["schemas"]["Currency"];
            count: number;
        };
        CountedMethod: {
            method: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
            currency?: components["schemas"]["Currency"];
            amountMinor: number;
        };
        Course: {
            id: string;
            categoryId: string;
            code: string | null;
            name: string;
            description: string | null;
            level: string | null;
            defaultFeeMinor: number | null;
            currency: components["schemas"]["Currency"];
            defaultCapacity: number | null;
            color: string | null;
            isActive: boolean;
            isPublic: boolean;
            language: string | null;
            deliveryMode: components["schemas"]["DeliveryMode"];
            createdAt: string;
            updatedAt: string;
        };
        CourseCategory: {
            id: string;
            parentId: string | null;
            name: string;
            slug: string;
            sortOrder: number;
            isActive: boolean;
            createdAt: string;
            updatedAt: string;
        };
        CourseCategoryChanges: {
            parentId?: string | null;
            name?: string;
            slug?: string;
            sortOrder?: number;
            isActive?: boolean;
        };
        CourseCategoryNode: {
            id: string;
            parentId: string | null;
            name: string;
            slug: string;
            sortOrder: number;
            isActive: boolean;
            createdAt: string;
            updatedAt: string;
            children: components["schemas"]["CourseCategoryNode"][];
        };
        CourseChanges: {
            categoryId?: string;
            name?: string;
            code?: string | null;
            description?: string | null;
            level?: string | null;
            defaultFeeMinor?: number | null;
            currency?: components["schemas"]["Currency"];
            defaultCapacity?: number | null;
            color?: string | null;
            isActive?: boolean;
            isPublic?: boolean;
            language?: string | null;
            deliveryMode?: components["schemas"]["DeliveryMode"];
        };
        CourseEnrollment: {
            id: string;
            courseId: string;
            studentId: string;
            status: "pending" | "active" | "completed" | "dropped";
            grantedAt: string;
            endedAt: string | null;
            priceMinor: number | null;
            currency: components["schemas"]["Currency"] | null;
            grantedByUserId: string | null;
            createdAt: string;
            updatedAt: string;
        };
        CoursePage: {
            data: components["schemas"]["Course"][];
            nextCursor: string | null;
        };
        CourseProgress: {
            courseEnrollmentId: string;
            studentId: string;
            studentNumber: string;
            firstName: string;
            lastName: string;
            status: "pending" | "active" | "completed" | "dropped";
            grantedAt: string;
            lessonCount: number;
            completedCount: number;
            lastCompletedAt: string | null;
            completedLessonIds: string[];
        };
        CourseProgressPage: {
            data: components["schemas"]["CourseProgress"][];
            nextCursor: string | null;
        };
        Cover: {
            id: string;
            staffId: string;
            staffName: string;
            substituteStaffId: string;
            substituteName: string;
            from: string;
            to: string;
            groupIds: string[] | null;
            reason: string | null;
            coveredSessions: number;
            createdAt: string;
        };
        CoverClash: {
            kind: "lesson" | "absence";
            groupName: string | null;
            scheduledStart: string | null;
            scheduledEnd: string | null;
        };
        CoverDays: {
            substituteStaffId: string;
            from: string;
            to: string;
        };
        CoverPage: {
            data: components["schemas"]["Cover"][];
            nextCursor: string | null;
        };
        CoverPlan: {
            dryRun: boolean;
            cover: components["schemas"]["Cover"] | null;
            covers: components["schemas"]["Cover"][];
            sessions: components["schemas"]["CoveredSession"][];
        };
        CoveredSession: {
            sessionId: string;
            groupId: string;
            groupName: string;
            scheduledStart: string;
            scheduledEnd: string;
            substituteStaffId: string;
            isCovered: boolean;
            clashes: components["schemas"]["CoverClash"][];
        };
        CreatedApiKey: {
            id: string;
            name: string;
            kind: "secret" | "publishable";
            keyPrefix: string;
            permissions: components["schemas"]["Permission"][];
            allowedOrigins: string[];
            rateLimitPerMin: number | null;
            effectiveRateLimitPerMin: number;
            lastUsedAt: string | null;
            expiresAt: string | null;
            revokedAt: string | null;
            createdAt: string;
            key: string;
        };
        CreatedWebhookEndpoint: {
            id: string;
            url: string;
            events: components["schemas"]["EventType"][];
            isActive: boolean;
            failureCount: number;
            disabledAt: string | null;
            previousSecretExpiresAt: string | null;
            createdAt: string;
            secret: string;
        };
        CreditAllocation: {
            invoiceId: string;
            amountMinor: number;
        };
        CreditNote: {
            id: string;
            number: string;
            invoiceId: string;
            invoiceNumber: string;
            studentId: string;
            payerGuardianId: string | null;
            payerName: string | null;
            amount: components["schemas"]["Money"];
            toCredit: components["schemas"]["Money"];
            lines: components["schemas"]["CreditNoteLine"][];
            reason: string;
            issueDate: string;
            createdAt: string;
        };
        CreditNoteLine: {
            description: string;
            amount: components["schemas"]["Money"];
        };
        CreditNotePage: {
            data: components["schemas"]["CreditNote"][];
            nextCursor: string | null;
        };
        Currency: "ILS" | "USD" | "EUR";
        CurrentPreview: {
            roleId: string;
            roleKey: string | null;
            roleName: string;
            branchId: string | null;
            endsAt: string;
        };
        CurrentUser: {
            user: components["schemas"]["UserSummary"];
            memberships: components["schemas"]["MembershipSummary"][];
            activeTenantId: string | null;
            permissions: string[];
            limits: components["schemas"]["PermissionLimit"][];
            impersonatedBy: string | null;
            preview: components["schemas"]["CurrentPreview"] | null;
            needsSecondFactor: boolean;
            isPlatformAdmin: boolean;
            deviceKey: string | null;
        };
        CurrentVersion: {
            version: string;
            news: components["schemas"]["VersionNews"];
        };
        Curriculum: {
            courseId: string;
            courseName: string;
            sections: components["schemas"]["SectionWithLessons"][];
        };
        CurriculumSection: {
            id: string;
            courseId: string;
            title: string;
            sortOrder: number;
            version: number;
            createdAt: string;
            updatedAt: string;
        };
        CurriculumSettings: {
            allowTerabox: boolean;
        };
        CurriculumSettingsChanges: {
            allowTerabox?: boolean;
        };
        CurriculumSummary: {
            courseId: string;
            sectionCount: number;
            lessonCount: number;
            publishedLessonCount: number;
            videoLessonCount: number;
        };
        Dashboard: {
            studentsActive: number;
            studentsNewThisMonth: number;
            attendanceRate30d: number | null;
            outstandingMinor: number;
            currency: components["schemas"]["Currency"];
            overdueCount: number;
            todaySessions: components["schemas"]["TodaySession"][];
        };
        DebtTotals: {
            invoices: number;
            total: components["schemas"]["Money"];
            notDue: components["schemas"]["Money"];
            upTo30: components["schemas"]["Money"];
            upTo60: components["schemas"]["Money"];
            upTo90: components["schemas"]["Money"];
            over90: components["schemas"]["Money"];
            held: components["schemas"]["Money"];
            credit: components["schemas"]["Money"];
        };
        DebtsReport: {
            on: string;
            totals: components["schemas"]["DebtTotals"][];
            data: components["schemas"]["DebtsReportRow"][];
            nextCursor: string | null;
        };
        DebtsReportRow: {
            payerName: string;
            payerGuardianId: string | null;
            studentId: string | null;
            students: components["schemas"]["IndebtedStudent"][];
            invoices: number;
            total: components["schemas"]["Money"];
            notDue: components["schemas"]["Money"];
            upTo30: components["schemas"]["Money"];
            upTo60: components["schemas"]["Money"];
            upTo90: components["schemas"]["Money"];
            over90: components["schemas"]["Money"];
            held: components["schemas"]["Money"];
            credit: components["schemas"]["Money"];
        };
        DeliveryMode: "group" | "self_paced";
        DeliveryStatus: "queued" | "delivered" | "failed" | "disabled";
        DigestMode: "immediate" | "daily" | "weekly";
        DirectoryChild: {
            studentId: string;
            fullName: string;
            status: "lead" | "active" | "paused" | "graduated" | "withdrawn";
            isPayer: boolean;
        };
        DirectoryContact: {
            guardianId: string;
            fullName: string;
            phone: string | null;
            relationship: "mother" | "father" | "grandparent" | "sibling" | "spouse" | "guardian" | "other";
        };
        DirectoryGuardian: {
            id: string;
            firstName: string;
            lastName: string;
            fullName: string;
            phone: string | null;
            email: string | null;
            children: components["schemas"]["DirectoryChild"][];
            balances: components["schemas"]["Money"][] | null;
            account: "none" | "invited" | "active";
            membershipId: string | null;
        };
        DirectoryGuardianPage: {
            data: components["schemas"]["DirectoryGuardian"][];
            nextCursor: string | null;
        };
        DirectoryStudent: {
            id: string;
            branchId: string;
            studentNumber: string;
            firstName: string;
            lastName: string;
            fullName: string;
            status: "lead" | "active" | "paused" | "graduated" | "withdrawn";
            phone: string | null;
            groups: components["schemas"]["FamilyGroup"][];
            contact: components["schemas"]["DirectoryContact"] | null;
            balances: components["schemas"]["Money"][] | null;
        };
        DirectoryStudentPage: {
            data: components["schemas"]["DirectoryStudent"][];
            nextCursor: string | null;
        };
        Discount: {
            id: string;
            studentId: string | null;
            studentName: string | null;
            guardianId: string | null;
            guardianName: string | null;
            kind: "percent" | "amount";
            percent: number | null;
            amount: components["schemas"]["Money"] | null;
            label: string;
            courseId: string | null;
            courseName: string | null;
            groupId: string | null;
            groupName: string | null;
            validFrom: string;
            validTo: string | null;
            createdAt: string;
            updatedAt: string;
        };
        DiscountChanges: {
            label?: string;
            validTo?: string | null;
        };
        DiscountPage: {
            data: components["schemas"]["Discount"][];
            nextCursor: string | null;
        };
        EmailVerification: {
            token: string;
        };
        Enrolled: {
            enrolled: components["schemas"]["Enrollment"][];
            refused: components["schemas"]["RefusedEnrollment"][];
        };
        Enrollment: {
            id: string;
            studentId: string;
            groupId: string;
            status: components["schemas"]["EnrollmentStatus"];
            priceMinor: number;
            currency: components["schemas"]["Currency"];
            enrolledAt: string;
            droppedAt: string | null;
            endedAt: string | null;
        };
        EnrollmentChanges: {
            enrolledAt: string;
        };
        EnrollmentDrop: {
            reason?: string;
            endedAt?: string;
        };
        EnrollmentMove: {
            groupId: string;
            reason?: string;
            endedAt?: string;
            enrolledAt?: string;
        };
        EnrollmentMoves: {
            from: string;
            to: string;
            count: number;
            data: components["schemas"]["EnrollmentMovesRow"][];
            nextCursor: string | null;
        };
        EnrollmentMovesRow: {
            enrollmentId: string;
            studentId: string;
            studentName: string;
            groupId: string;
            groupName: string;
            enrolledAt: string;
            endedAt: string | null;
        };
        EnrollmentPage: {
            data: components["schemas"]["Enrollment"][];
            nextCursor: string | null;
        };
        EnrollmentReport: {
            from: string;
            to: string;
            joined: number;
            left: number;
            enrolled: number;
            data: components["schemas"]["EnrollmentReportRow"][];
            nextCursor: string | null;
        };
        EnrollmentReportRow: {
            month: string | null;
            groupId: string | null;
            groupName: string | null;
            joined: number;
            left: number;
            enrolled: number;
            seats: number | null;
        };
        EnrollmentStatus: "active" | "completed" | "dropped";
        Erased: {
            id: string;
            erasedAt: string;
        };
        Erasure: {
            name: string;
            erasedAt: string | null;
            against: components["schemas"]["ErasureAgainst"][];
            goes: components["schemas"]["ErasureGoes"][];
            stays: components["schemas"]["ErasureStays"][];
            papers: components["schemas"]["ErasurePapers"][];
            account: "none" | "erased" | "taken_off";
        };
        ErasureAgainst: {
            reason: "active" | "enrolled" | "waiting" | "in_course" | "draft" | "debt" | "credit" | "cheque" | "online_payment" | "payer" | "only_guardian";
            count: number;
        };
        ErasureGoes: {
            what: "guardian_link" | "student_pause" | "announced_absence" | "progress_report" | "discount" | "lead" | "file" | "proposed_change" | "notification";
            count: number;
        };
        ErasurePapers: {
            what: "invoice" | "receipt" | "credit_note" | "refund";
            count: number;
        };
        ErasureStays: {
            what: "enrollment" | "attendance" | "exam_result" | "course_enrollment";
            count: number;
        };
        EventInfo: {
            type: components["schemas"]["EventType"];
            description: string;
            fields: string[];
        };
        EventInfoPage: {
            data: components["schemas"]["EventInfo"][];
            nextCursor: string | null;
        };
        EventType: "student.created" | "student.updated" | "student.status_changed" | "enrollment.created" | "enrollment.dropped" | "session.cancelled" | "attendance.marked" | "student.absent" | "exam.published" | "progress_report.sent" | "invoice.issued" | "invoice.overdue" | "invoice.reminder_requested" | "payment.recorded" | "member.invited" | "lesson.published" | "lesson.completed" | "course.completed" | "course_enrollment.created" | "course_enrollment.dropped" | "subscription.expiring" | "subscription.expired" | "tenant.locked" | "tenant.unlocked" | "license.signal" | "install.update_failed" | "lead.created" | "webhook_endpoint.secret_rotated";
        Exam: {
            id: string;
            groupId: string;
            title: string;
            kind: "quiz" | "exam" | "homework" | "project" | "final";
            maxScore: number;
            weight: number;
            heldAt: string | null;
            publishedAt: string | null;
            createdAt: string;
            updatedAt: string;
        };
        ExamChanges: {
            title?: string;
            kind?: "quiz" | "exam" | "homework" | "project" | "final";
            maxScore?: number;
            weight?: number;
            heldAt?: string | null;
        };
        ExamFigure: {
            examId: string;
            title: string;
            kind: "quiz" | "exam" | "homework" | "project" | "final";
            score: number | null;
            maxScore: number;
            weight: number;
        };
        ExamPage: {
            data: components["schemas"]["Exam"][];
            nextCursor: string | null;
        };
        ExamResult: {
            id: string;
            examId: string;
            studentId: string;
            score: number | null;
            isAbsent: boolean;
            remarks: string | null;
            gradedByUserId: string | null;
            createdAt: string;
            updatedAt: string;
        };
        ExamResults: {
            data: components["schemas"]["ExamResult"][];
        };
        ExamRosterEntry: {
            examId: string;
            studentId: string;
            score: number | null;
            isAbsent: boolean;
            remarks: string | null;
            gradedByUserId: string | null;
            createdAt: string | null;
            updatedAt: string | null;
            id: string | null;
            studentNumber: string;
            firstName: string;
            lastName: string;
        };
        ExamRosterEntryPage: {
            data: components["schemas"]["ExamRosterEntry"][];
            nextCursor: string | null;
        };
        ExamSummary: {
            id: string;
            groupId: string;
            title: string;
            kind: "quiz" | "exam" | "homework" | "project" | "final";
            maxScore: number;
            weight: number;
            heldAt: string | null;
            publishedAt: string | null;
        };
        Export: {
            id: string;
            status: "queued" | "running" | "done" | "failed";
            progress: number;
            sizeBytes: number | null;
            sha256: string | null;
            error: string | null;
            createdAt: string;
            finishedAt: string | null;
            keptUntil: string | null;
            downloadUrl: string | null;
            downloadUrlExpiresAt: string | null;
        };
        ExportRequest: {
            fresh?: boolean;
        };
        FamilyChild: {
            studentId: string;
            branchId: string;
            fullName: string;
            studentNumber: string;
            status: "lead" | "active" | "paused" | "graduated" | "withdrawn";
            relationship: "mother" | "father" | "grandparent" | "sibling" | "spouse" | "guardian" | "other";
            isPrimary: boolean;
            isPayer: boolean;
            seesLearning: boolean;
            seesMoney: boolean;
            groups: components["schemas"]["FamilyGroup"][];
            attendanceRate30d: number | null;
            balance: components["schemas"]["Money"] | null;
            openInvoices: components["schemas"]["FamilyOpenInvoice"][] | null;
        };
        FamilyGroup: {
            groupId: string;
            groupName: string;
            courseName: string;
        };
        FamilyGuardian: {
            guardianId: string;
            firstName: string;
            lastName: string;
            phone: string | null;
            studentIds: string[];
        };
        FamilyInvoice: {
            id: string;
            number: string;
            studentId: string;
            status: components["schemas"]["InvoiceStatus"];
            dueDate: string;
            total: components["schemas"]["Money"];
            paid: components["schemas"]["Money"];
            balance: components["schemas"]["Money"];
        };
        FamilyMoney: {
            currency: components["schemas"]["Currency"];
            balance: components["schemas"]["Money"];
            openInvoices: components["schemas"]["FamilyOpenInvoice"][];
        };
        FamilyOpenInvoice: {
            id: string;
            number: string;
            studentId: string;
            status: components["schemas"]["InvoiceStatus"];
            dueDate: string;
            total: components["schemas"]["Money"];
            paid: components["schemas"]["Money"];
            balance: components["schemas"]["Money"];
            firstLine: string;
            lineCount: number;
        };
        FamilyReach: {
            people: number;
            reached: number;
            toCall: number;
            unreached: number;
            hasMailbox: boolean;
        };
        FamilySummary: {
            guardianId: string;
            children: components["schemas"]["FamilyChild"][];
            otherGuardians: components["schemas"]["FamilyGuardian"][];
            financial: components["schemas"]["FamilyMoney"] | null;
        };
        FeatureFlagChanges: {
            basic_reports?: boolean;
            advanced_reports?: boolean;
            integration_api?: boolean;
            mcp?: boolean;
            custom_domain?: boolean;
            whatsapp_notifications?: boolean;
            sms_notifications?: boolean;
            byo_email_provider?: boolean;
            byo_push_provider?: boolean;
            courses_video?: boolean;
        };
        FeatureFlags: {
            basic_reports: boolean;
            advanced_reports: boolean;
            integration_api: boolean;
            mcp: boolean;
            custom_domain: boolean;
            whatsapp_notifications: boolean;
            sms_notifications: boolean;
            byo_email_provider: boolean;
            byo_push_provider: boolean;
            courses_video: boolean;
        };
        FeatureOverrideChanges: {
            basic_reports?: boolean | null;
            advanced_reports?: boolean | null;
            integration_api?: boolean | null;
            mcp?: boolean | null;
            custom_domain?: boolean | null;
            whatsapp_notifications?: boolean | null;
            sms_notifications?: boolean | null;
            byo_email_provider?: boolean | null;
            byo_push_provider?: boolean | null;
            courses_video?: boolean | null;
        };
        FeatureOverrides: {
            basic_reports: boolean | null;
            advanced_reports: boolean | null;
            integration_api: boolean | null;
            mcp: boolean | null;
            custom_domain: boolean | null;
            whatsapp_notifications: boolean | null;
            sms_notifications: boolean | null;
            byo_email_provider: boolean | null;
            byo_push_provider: boolean | null;
            courses_video: boolean | null;
        };
        FeeConsequences: {
            chargedBy: "run" | "registration" | "hand";
            students: number;
            ownPrices: number;
            fromMonth: string;
            example: components["schemas"]["FeeExample"] | null;
        };
        FeeExample: {
            of: "lessons" | "days";
            count: number;
            all: number;
            full: components["schemas"]["Money"];
            charged: components["schemas"]["Money"];
        };
        FeeSchedule: {
            id: string;
            name: string;
            kind: "per_group" | "per_course" | "one_off" | "registration";
            amount: components["schemas"]["Money"];
            recurrence: "once" | "monthly" | "per_term";
            courseId: string | null;
            groupId: string | null;
            dueDay: number | null;
            isActive: boolean;
            price: "schedule" | "enrollment";
            validFrom: string | null;
            validTo: string | null;
            proration: "none" | "lessons" | "days";
            chargedBy: "run" | "registration" | "hand";
            createdAt: string;
            updatedAt: string;
        };
        FeeScheduleChanges: {
            name?: string;
            kind?: "per_group" | "per_course" | "one_off" | "registration";
            amountMinor?: number;
            currency?: components["schemas"]["Currency"];
            recurrence?: "once" | "monthly" | "per_term";
            courseId?: string | null;
            groupId?: string | null;
            dueDay?: number | null;
            isActive?: boolean;
            price?: "schedule" | "enrollment";
            validFrom?: string | null;
            validTo?: string | null;
            proration?: "none" | "lessons" | "days";
        };
        FeeSchedulePage: {
            data: components["schemas"]["FeeSchedule"][];
            nextCursor: string | null;
        };
        FeesOfMonth: {
            month: string;
            before: components["schemas"]["Money"][];
            after: components["schemas"]["Money"][];
        };
        File: {
            id: string;
            kind: "avatar" | "document" | "report" | "attachment";
            originalName: string;
            mimeType: string;
            sizeBytes: number;
            sha256: string;
            entityType: string | null;
            entityId: string | null;
            createdAt: string;
            downloadUrl: string;
            downloadUrlExpiresAt: string;
        };
        FilePage: {
            data: components["schemas"]["File"][];
            nextCursor: string | null;
        };
        FirstCode: {
            code: string;
        };
        FirstInvoice: {
            id: string | null;
            number: string | null;
            dueDate: string;
            subtotal: components["schemas"]["Money"];
            discount: components["schemas"]["Money"];
            tax: components["schemas"]["Money"];
            total: components["schemas"]["Money"];
            lines: components["schemas"]["FirstInvoiceLine"][];
            unreached: components["schemas"]["Unreached"] | null;
        };
        FirstInvoiceLine: {
            description: string;
            quantity: number;
            unitAmount: components["schemas"]["Money"];
            discount: components["schemas"]["Money"];
            taxRatePercent: number;
            tax: components["schemas"]["Money"];
            total: components["schemas"]["Money"];
            feeScheduleId: string | null;
            siblingPlace: number | null;
            groupId: string | null;
        };
        ForgottenPassword: {
            email: string;
        };
        FormerLanName: {
            name: string;
            until: string;
        };
        FreePlace: {
            groupId: string;
            groupName: string;
            free: number;
            waiting: number;
        };
        GeneratedSessions: {
            created: number;
            total: number;
        };
        GiveBack: {
            reason?: string;
        };
        Gradebook: {
            groupId: string;
            exams: components["schemas"]["GradebookExam"][];
            students: components["schemas"]["GradebookStudent"][];
        };
        GradebookEntries: {
            exams: components["schemas"]["GradebookExamEntries"][];
        };
        GradebookEntry: {
            studentId: string;
            score?: number | null;
            isAbsent?: boolean;
            remarks?: string | null;
            seenAt?: string | null;
        };
        GradebookExam: {
            id: string;
            groupId: string;
            title: string;
            kind: "quiz" | "exam" | "homework" | "project" | "final";
            maxScore: number;
            weight: number;
            heldAt: string | null;
            publishedAt: string | null;
            createdAt: string;
            updatedAt: string;
            entered: number;
            missing: number;
            average: number | null;
        };
        GradebookExamEntries: {
            examId: string;
            results: components["schemas"]["GradebookEntry"][];
        };
        GradebookResult: {
            score: number | null;
            isAbsent: boolean;
            remarks: string | null;
            updatedAt: string | null;
        };
        GradebookStudent: {
            studentId: string;
            studentNumber: string;
            fullName: string;
            average: number | null;
            results: (components["schemas"]["GradebookResult"] | null)[];
        };
        GridSession: {
            id: string;
            scheduledStart: string;
            status: "scheduled" | "held" | "cancelled";
        };
        GridStudent: {
            studentId: string;
            fullName: string;
            marks: (components["schemas"]["AttendanceStatus"] | null)[];
        };
        Group: {
            id: string;
            courseId: string;
            courseName: string;
            branchId: string;
            name: string;
            teacherStaffId: string | null;
            room: string | null;
            capacity: number | null;
            feeMinor: number | null;
            currency: components["schemas"]["Currency"];
            status: components["schemas"]["GroupStatus"];
            startsOn: string | null;
            endsOn: string | null;
            enrolledCount: number;
            version: number;
            createdAt: string;
            updatedAt: string;
        };
        GroupChanges: {
            courseId?: string;
            branchId?: string;
            name?: string;
            teacherStaffId?: string | null;
            room?: string | null;
            capacity?: number | null;
            feeMinor?: number | null;
            currency?: components["schemas"]["Currency"];
            startsOn?: string | null;
            endsOn?: string | null;
            status?: components["schemas"]["GroupStatus"];
            version?: number;
        };
        GroupConsequences: {
            removed: number;
            cancelled: number;
            restored: number;
            created: number;
            completedEnrollments: number;
        };
        GroupContact: {
            studentId: string;
            studentName: string;
            studentNumber: string;
            phone: string | null;
            guardians: components["schemas"]["ContactGuardian"][];
        };
        GroupContactPage: {
            data: components["schemas"]["GroupContact"][];
            nextCursor: string | null;
        };
        GroupEnrollment: {
            id: string;
            studentId: string;
            studentNumber: string;
            firstName: string;
            lastName: string;
            status: components["schemas"]["EnrollmentStatus"];
            priceMinor: number;
            currency: components["schemas"]["Currency"];
            enrolledAt: string;
            droppedAt: string | null;
            endedAt: string | null;
        };
        GroupEnrollmentPage: {
            data: components["schemas"]["GroupEnrollment"][];
            nextCursor: string | null;
        };
        GroupGrants: {
            granted: components["schemas"]["CourseEnrollment"][];
            had: string[];
            unreached: number;
        };
        GroupOfRegistration: {
            groupId: string;
            capacity: number | null;
            enrolledCount: number;
        };
        GroupOfStudent: {
            groupId: string;
            groupName: string;
            lastDay: string | null;
            lessons: number;
        };
        GroupPage: {
            data: components["schemas"]["Group"][];
            nextCursor: string | null;
        };
        GroupStatus: "planned" | "active" | "completed" | "cancelled";
        Guardian: {
            id: string;
            firstName: string;
            lastName: string;
            phone: string | null;
            email: string | null;
            nationalId: string | null;
            preferredLocale: components["schemas"]["Locale"];
            address: components["schemas"]["Address"] | null;
            userId: string | null;
            erasedAt: string | null;
            createdAt: string;
            updatedAt: string;
        };
        GuardianChanges: {
            userId?: string | null;
            firstName?: string;
            lastName?: string;
            phone?: string;
            email?: string | null;
            nationalId?: string | null;
            preferredLocale?: components["schemas"]["Locale"];
            address?: components["schemas"]["Address"] | null;
        };
        GuardianContact: {
            firstName: string;
            lastName: string;
            phone: string | null;
        };
        GuardianLink: {
            guardianId: string;
            relationship: "mother" | "father" | "grandparent" | "sibling" | "spouse" | "guardian" | "other";
            isPrimary: boolean;
            isPayer: boolean;
            seesLearning: boolean;
            seesMoney: boolean;
        };
        GuardianLinkChanges: {
            relationship?: "mother" | "father" | "grandparent" | "sibling" | "spouse" | "guardian" | "other";
            isPrimary?: boolean;
            isPayer?: boolean;
            seesLearning?: boolean;
            seesMoney?: boolean;
        };
        GuardianMerge: {
            dryRun: boolean;
            moves: components["schemas"]["MergeCount"][];
            against: components["schemas"]["MergeCount"][];
            guardian: components["schemas"]["Guardian"] | null;
        };
        GuardianPage: {
            data: components["schemas"]["Guardian"][];
            nextCursor: string | null;
        };
        HealthCheck: {
            status: "ok" | "error";
            error?: string;
        };
        HealthChecks: {
            postgres: components["schemas"]["HealthCheck"];
            redis: components["schemas"]["HealthCheck"];
        };
        HealthFinding: {
            about: "disk" | "clock" | "mail" | "queue" | "bucket" | "files" | "backups" | "address" | "proxy" | "vendor";
            state: "ok" | "warning" | "wrong";
            text: string;
        };
        HolidayName: {
            ar: string;
            en: string;
            he: string;
        };
        HolidayProposal: {
            key: string;
            calendar: "jewish" | "muslim" | "western" | "eastern" | "country";
            name: components["schemas"]["HolidayName"];
            from: string;
            to: string;
            isUpToTheMoon: boolean;
            closureId: string | null;
        };
        Homework: {
            text: string;
            dueOn: string | null;
        };
        Impersonation: {
            accessToken: string;
            expiresAt: string;
            tenantId: string;
            membershipId: string;
        };
        ImpersonationRequest: {
            reason: string;
        };
        Import: {
            id: string;
            kind: "students" | "staff" | "enrollments" | "balances";
            status: "queued" | "running" | "done" | "failed";
            dryRun: boolean;
            mode: "all" | "by_row";
            knownPhone: "refuse" | "link";
            branchId: string | null;
            fileName: string;
            columns: string[];
            mapping: {
                [key: string]: string;
            };
            unknown: string[];
            rows: number;
            checked: number;
            created: number;
            updated: number;
            unchanged: number;
            refused: number;
            errors: components["schemas"]["ImportError"][];
            told: components["schemas"]["ImportNote"][];
            preview: components["schemas"]["ImportPreview"][];
            createdAt: string;
            finishedAt: string | null;
        };
        ImportError: {
            row: number | null;
            column: string | null;
            field: string | null;
            value: string | null;
            reason: "file_gone" | "not_a_table" | "old_workbook" | "empty_file" | "too_many_rows" | "too_many_columns" | "too_large" | "reader_ended" | "column_missing" | "column_unknown" | "permission_missing" | "no_longer_allowed" | "rows_refused" | "server_error" | "formula_without_value" | "missing" | "too_long" | "not_valid" | "not_a_date" | "ambiguous_date" | "in_future" | "not_a_phone" | "not_an_email" | "not_an_amount" | "negative_amount" | "not_a_choice" | "wrong_number" | "identity_missing" | "number_of_another" | "ambiguous" | "too_many_of_one" | "unknown_student" | "unknown_group" | "unknown_branch" | "out_of_reach" | "balance_exists" | "quota_exceeded" | "guardian_phone_taken" | "guardian_name_differs" | "own_account_link" | "status_move_refused" | "student_numbers_used_up" | "cannot_enroll" | "group_full" | "sums_full" | "refused";
        };
        ImportField: "studentNumber" | "firstName" | "lastName" | "fullName" | "nationalId" | "phone" | "email" | "birthDate" | "gender" | "status" | "branch" | "line1" | "city" | "tags" | "notes" | "guardianFirstName" | "guardianLastName" | "guardianName" | "guardianPhone" | "guardianEmail" | "guardianRelationship" | "guardian2FirstName" | "guardian2LastName" | "guardian2Name" | "guardian2Phone" | "guardian2Email" | "guardian2Relationship" | "motherFirstName" | "motherLastName" | "motherName" | "motherPhone" | "motherEmail" | "fatherFirstName" | "fatherLastName" | "fatherName" | "fatherPhone" | "fatherEmail" | "knownPhone" | "title" | "isActive" | "group" | "course" | "enrolledAt" | "price" | "balance" | "currency" | "dueDate" | "description";
        ImportNote: {
            row: number;
            column: string | null;
            field: string | null;
            value: string | null;
            reason: "totals" | "guardian_without_phone";
        };
        ImportPage: {
            data: components["schemas"]["Import"][];
            nextCursor: string | null;
        };
        ImportPreview: {
            row: number;
            outcome: "created" | "updated" | "unchanged" | "refused";
            values: {
                [key: string]: string;
            };
            before: {
                [key: string]: string;
            };
            known: string[];
        };
        IncomeReport: {
            from: string;
            to: string;
            totals: components["schemas"]["IncomeTotals"][];
            data: components["schemas"]["IncomeReportRow"][];
            nextCursor: string | null;
        };
        IncomeReportRow: {
            month: string;
            branchId: string | null;
            branchName: string | null;
            courseId: string | null;
            courseName: string | null;
            method: ("cash" | "card" | "bank_transfer" | "cheque" | "online" | "other") | null;
            billed: components["schemas"]["Money"];
            credited: components["schemas"]["Money"];
            collected: components["schemas"]["Money"];
        };
        IncomeTotals: {
            billed: components["schemas"]["Money"];
            credited: components["schemas"]["Money"];
            collected: components["schemas"]["Money"];
        };
        IndebtedStudent: {
            studentId: string;
            fullName: string;
        };
        InstallLanName: {
            name: string;
            askedAt: string;
        };
        Institute: {
            id: string;
            name: string;
            defaultLocale: components["schemas"]["Locale"];
            timezone: string;
            country: string | null;
            currency: components["schemas"]["Currency"];
            today: string;
            color: string | null;
            logoUrl: string | null;
            lateAfterMinutes: number;
            reportsApproval: boolean;
            isLocked: boolean;
            lockedReason: string | null;
            isReadOnly: boolean;
            writesEndAt: string | null;
            trialEndsAt: string | null;
            sendsMail: boolean;
            movesTo: components["schemas"]["NewName"] | null;
        };
        Invitation: {
            id: string;
            email: string;
            expiresAt: string;
            link: string | null;
        };
        InvitationAcceptance: {
            token: string;
            password?: string;
            fullName?: string;
            locale?: components["schemas"]["Locale"];
        };
        InvoiceChanges: {
            lines?: components["schemas"]["NewInvoiceLine"][];
            dueDate?: string;
            issueDate?: string;
            currency?: components["schemas"]["Currency"];
            notes?: string | null;
            version?: number;
        };
        InvoiceCounts: {
            draft: number;
            issued: number;
            partially_paid: number;
            paid: number;
            overdue: number;
            void: number;
        };
        InvoiceCredit: {
            id: string;
            amount: components["schemas"]["Money"];
            appliedAt: string;
            reversesId: string | null;
        };
        InvoiceDetail: {
            id: string;
            branchId: string;
            number: string;
            studentId: string;
            status: components["schemas"]["InvoiceStatus"];
            issueDate: string;
            dueDate: string;
            subtotal: components["schemas"]["Money"];
            discount: components["schemas"]["Money"];
            tax: components["schemas"]["Money"];
            total: components["schemas"]["Money"];
            paid: components["schemas"]["Money"];
            credited: components["schemas"]["Money"];
            footer: string | null;
            lines: components["schemas"]["InvoiceLine"][];
            payments: components["schemas"]["InvoicePayment"][];
            credits: components["schemas"]["InvoiceCredit"][];
            balance: components["schemas"]["Money"];
            payerGuardianId: string | null;
            payerName: string | null;
            replaced: components["schemas"]["ReplacedInvoice"][];
            notes: string | null;
            voidReason: string | null;
            version: number;
            createdAt: string;
            updatedAt: string;
        };
        InvoiceIds: {
            ids: string[];
        };
        InvoiceLine: {
            id: string;
            description: string;
            quantity: number;
            unitAmount: components["schemas"]["Money"];
            discount: components["schemas"]["Money"];
            taxRatePercent: number;
            tax: components["schemas"]["Money"];
            total: components["schemas"]["Money"];
            feeScheduleId: string | null;
            enrollmentId: string | null;
            courseEnrollmentId: string | null;
            siblingPlace: number | null;
        };
        InvoiceNotIssued: {
            id: string;
            reason: "not_found" | "not_a_draft";
        };
        InvoiceNotReminded: {
            id: string;
            reason: "not_found" | "not_open" | "nobody_reached" | "record_sent_often" | "person_sent_often";
        };
        InvoicePayer: {
            guardianId: string | null;
            reason?: string;
        };
        InvoicePayment: {
            id: string;
            invoiceId: string;
            amount: components["schemas"]["Money"];
            method: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
            provider: "manual" | "online" | "import";
            reference: string | null;
            reason: string | null;
            reversesPaymentId: string | null;
            receivedAt: string;
            receivedByUserId: string | null;
            createdAt: string;
            receiptId: string | null;
            receiptNumber: string | null;
        };
        InvoiceStatus: "draft" | "issued" | "partially_paid" | "paid" | "overdue" | "void";
        InvoicesToLookAt: {
            count: number;
            balance: components["schemas"]["Money"];
        };
        InvoicesToRemind: {
            ids: string[];
            toCall?: boolean;
        };
        Issue: {
            path: string[];
            message: string;
        };
        IssuedInvoice: {
            id: string;
            branchId: string;
            number: string;
            studentId: string;
            status: components["schemas"]["InvoiceStatus"];
            issueDate: string;
            dueDate: string;
            subtotal: components["schemas"]["Money"];
            discount: components["schemas"]["Money"];
            tax: components["schemas"]["Money"];
            total: components["schemas"]["Money"];
            paid: components["schemas"]["Money"];
            credited: components["schemas"]["Money"];
            footer: string | null;
            lines: components["schemas"]["InvoiceLine"][];
            payments: components["schemas"]["InvoicePayment"][];
            credits: components["schemas"]["InvoiceCredit"][];
            balance: components["schemas"]["Money"];
            payerGuardianId: string | null;
            payerName: string | null;
            replaced: components["schemas"]["ReplacedInvoice"][];
            notes: string | null;
            voidReason: string | null;
            version: number;
            createdAt: string;
            updatedAt: string;
            unreached: components["schemas"]["Unreached"] | null;
        };
        IssuedInvoices: {
            done: string[];
            refused: components["schemas"]["InvoiceNotIssued"][];
            unreached: components["schemas"]["Unreached"][];
        };
        JobLane: {
            lane: string;
            tenantId: string | null;
            tenantSlug: string | null;
            queued: number;
            running: number;
            oldestQueuedAt: string | null;
        };
        JobLanes: {
            data: components["schemas"]["JobLane"][];
            lanes: number;
        };
        JobQueue: {
            name: string;
            pausedAt: string | null;
            pauseReason: string | null;
            queued: number;
            running: number;
            failed: number;
            oldestQueuedAt: string | null;
        };
        JobQueuePage: {
            data: components["schemas"]["JobQueue"][];
            nextCursor: string | null;
        };
        JobReply: {
            id: string;
            name: string;
        };
        KeptBackup: {
            name: string;
            kind: "nightly" | "before_upgrade" | "before_restore" | "asked" | "brought";
            createdAt: string;
            sizeBytes: number;
            students: number | null;
            files: number | null;
            isWhole: boolean;
            isEncrypted: boolean;
        };
        KnownChild: {
            id: string;
            fullName: string;
        };
        KnownGuardian: {
            id: string;
            firstName: string;
            lastName: string;
            phone: string;
            isSameName: boolean | null;
            children: components["schemas"]["KnownChild"][];
        };
        LanNameEnvelope: {
            payload: string;
            signature: string;
            keyId: string;
        };
        LanNameRequest: {
            installId: string;
            jti: string;
            clientTime: string;
            nonce: string;
            addresses: string[];
            challenge: string | null;
        };
        LastBackup: {
            state: "ok" | "warning" | "wrong";
            nightly: boolean;
            lastGoodAt: string | null;
            offServer: "none" | "ok" | "failed";
        };
        Lead: {
            id: string;
            source: "widget" | "manual" | "import" | "api";
            status: "new" | "contacted" | "converted" | "lost";
            firstName: string;
            lastName: string;
            phone: string | null;
            email: string | null;
            guardian: components["schemas"]["LeadGuardian"] | null;
            studentId: string | null;
            guardianId: string | null;
            guardianNameDiffers: boolean;
            courseId: string | null;
            groupId: string | null;
            courseInterest: string | null;
            message: string | null;
            locale: components["schemas"]["Locale"];
            assignedToUserId: string | null;
            note: string | null;
            createdAt: string;
            updatedAt: string;
        };
        LeadChanges: {
            status?: "new" | "contacted" | "converted" | "lost";
            assignedToUserId?: string | null;
            note?: string | null;
        };
        LeadGuardian: {
            firstName: string;
            lastName: string;
            phone: string;
            email: string | null;
        };
        LeadPage: {
            data: components["schemas"]["Lead"][];
            nextCursor: string | null;
        };
        Lesson: {
            id: string;
            courseId: string;
            sectionId: string;
            title: string;
            description: string | null;
            kind: "video" | "text";
            body: string | null;
            durationSec: number | null;
            sortOrder: number;
            isPreview: boolean;
            publishedAt: string | null;
            video: components["schemas"]["LessonVideo"] | null;
            version: number;
            createdAt: string;
            updatedAt: string;
        };
        LessonChanges: {
            title?: string;
            description?: string | null;
            kind?: "video" | "text";
            body?: string | null;
            durationSec?: number | null;
            isPreview?: boolean;
            sectionId?: string;
            version?: number;
        };
        LessonVideo: {
            provider: "youtube" | "vimeo" | "terabox";
            videoId: string;
            url: string;
            embedUrl: string;
        };
        Lessons: {
            data: components["schemas"]["Lesson"][];
        };
        License: {
            id: string;
            tenantId: string;
            planId: string | null;
            token: string;
            maxInstalls: number;
            state: "active" | "locked";
            lockedAt: string | null;
            lockedReason: string | null;
            expiresAt: string | null;
            createdAt: string;
            updatedAt: string;
        };
        LicenseActivation: {
            token: string;
        };
        LicenseChanges: {
            planId?: string | null;
            maxInstalls?: number;
            expiresAt?: string | null;
        };
        LicenseCommand: {
            id: string;
            licenseId: string;
            kind: "lock" | "unlock";
            reason: string | null;
            issuedAt: string;
            acknowledgedAt: string | null;
        };
        LicenseInstall: {
            id: string;
            licenseId: string;
            installId: string;
            appVersion: string;
            lastSeenAt: string;
            heartbeatCounter: number;
            signals: components["schemas"]["LicenseSignal"][];
            firstSeenAt: string;
            lastWitnessAt: string | null;
            updateChannel: string | null;
            updaterLastCheckAt: string | null;
            updaterLastResult: ("ok" | "failed" | "skipped") | null;
            updaterLastReason: string | null;
            lanName: components["schemas"]["InstallLanName"] | null;
            pendingCommands: components["schemas"]["PendingLicenseCommand"][];
        };
        LicenseInstallPage: {
            data: components["schemas"]["LicenseInstall"][];
            nextCursor: string | null;
        };
        LicenseLock: {
            reason: string;
        };
        LicensePage: {
            data: components["schemas"]["License"][];
            nextCursor: string | null;
        };
        LicenseSignal: {
            kind: "counter_regressed" | "clock_rollback" | "duplicate_install" | "too_many_installs" | "key_changed" | "version_downgraded";
            severity: "info" | "warning" | "critical";
            detectedAt: string;
            detail: string;
        };
        LicenseStatus: {
            state: "unlicensed" | "active" | "locked";
            licenseId: string | null;
            plan: string | null;
            installId: string | null;
            lastHeartbeatAt: string | null;
            nextHeartbeatAt: string | null;
            lastError: string | null;
            graceEndsAt: string | null;
            expiresAt: string | null;
            reason: string | null;
        };
        LicenseUnlock: {
            token: string;
        };
        LicenseUnlockToken: {
            token: string;
            expiresAt: string;
        };
        LinkedGuardian: {
            guardianId: string;
            relationship: "mother" | "father" | "grandparent" | "sibling" | "spouse" | "guardian" | "other";
            isPrimary: boolean;
            isPayer: boolean;
            seesLearning: boolean;
            seesMoney: boolean;
            guardian: components["schemas"]["GuardianContact"];
        };
        LinkedGuardianPage: {
            data: components["schemas"]["LinkedGuardian"][];
            nextCursor: string | null;
        };
        ListedCourseEnrollment: {
            id: string;
            courseId: string;
            studentId: string;
            status: "pending" | "active" | "completed" | "dropped";
            grantedAt: string;
            endedAt: string | null;
            priceMinor: number | null;
            currency: components["schemas"]["Currency"] | null;
            grantedByUserId: string | null;
            createdAt: string;
            updatedAt: string;
            studentNumber: string;
            firstName: string;
            lastName: string;
        };
        ListedCourseEnrollmentPage: {
            data: components["schemas"]["ListedCourseEnrollment"][];
            nextCursor: string | null;
        };
        ListedInvoice: {
            id: string;
            branchId: string;
            number: string;
            studentId: string;
            status: components["schemas"]["InvoiceStatus"];
            issueDate: string;
            dueDate: string;
            subtotal: components["schemas"]["Money"];
            discount: components["schemas"]["Money"];
            tax: components["schemas"]["Money"];
            total: components["schemas"]["Money"];
            paid: components["schemas"]["Money"];
            credited: components["schemas"]["Money"];
            footer: string | null;
            studentName: string;
            balance: components["schemas"]["Money"];
            firstLine: string;
            lineCount: number;
        };
        ListedInvoicePage: {
            data: components["schemas"]["ListedInvoice"][];
            nextCursor: string | null;
        };
        ListedProgressReport: {
            id: string;
            studentId: string;
            groupId: string | null;
            periodStart: string;
            periodEnd: string;
            status: "draft" | "sent";
            attendance: components["schemas"]["ReportAttendance"];
            exams: components["schemas"]["ExamFigure"][];
            average: number | null;
            comment: string | null;
            sentAt: string | null;
            sentByUserId: string | null;
            submittedAt: string | null;
            remark: string | null;
            version: number;
            createdAt: string;
            updatedAt: string;
            studentName: string;
            groupName: string | null;
        };
        ListedProgressReportPage: {
            data: components["schemas"]["ListedProgressReport"][];
            nextCursor: string | null;
        };
        ListedTenant: {
            id: string;
            slug: string;
            name: string;
            status: "active" | "suspended" | "archived";
            defaultLocale: components["schemas"]["Locale"];
            timezone: string;
            currency: components["schemas"]["Currency"];
            deploymentMode: "cloud" | "self_hosted";
            autoLockOverride: "inherit" | "on" | "off";
            lockedAt: string | null;
            lockedReason: string | null;
            lockedByPlatformAdminId: string | null;
            createdBy: string | null;
            features: components["schemas"]["FeatureOverrides"];
            createdAt: string;
            updatedAt: string;
            subscription: components["schemas"]["Subscription"] | null;
            lastSeenAt: string | null;
        };
        ListedTenantPage: {
            data: components["schemas"]["ListedTenant"][];
            nextCursor: string | null;
        };
        Liveness: {
            status: "ok";
        };
        LocalRoot: {
            fingerprint: string;
            thumbprint: string;
            validUntil: string;
        };
        Locale: "ar" | "he" | "en";
        Login: {
            email: string;
            password: string;
            /**
             * @default web
             * @enum {string}
             */
            client?: "web" | "mobile";
        };
        MailProvider: {
            id: "gmail" | "microsoft" | "yahoo" | "zoho";
            host: string;
            port: number;
            encryption: "tls" | "starttls";
        };
        MailServer: {
            host: string;
            port: number;
            encryption: "tls" | "starttls";
            user: string;
        };
        MailSettings: {
            canChange: boolean;
            server: components["schemas"]["MailServer"] | null;
            sender: string | null;
            providers: components["schemas"]["MailProvider"][];
        };
        MailTrial: {
            server?: components["schemas"]["NewMailServer"];
            to: string;
        };
        MailTrialResult: {
            sent: boolean;
            fault: ("unknown_host" | "unreachable" | "timeout" | "encryption" | "sign_in" | "refused" | "other") | null;
            answer: string;
            passwordUnused: boolean;
        };
        MayBeBilled: {
            invoiceId: string;
            invoiceNumber: string;
            description: string;
            amount: components["schemas"]["Money"];
        };
        Member: {
            membershipId: string;
            userId: string;
            email: string;
            fullName: string;
            status: "invited" | "active" | "disabled";
            joinedAt: string | null;
            createdAt: string;
            hasSecondFactor: boolean;
            roles: components["schemas"]["MemberRole"][];
        };
        MemberAssistantGrant: {
            id: string;
            clientName: string;
            clientUri: string | null;
            tenantId: string;
            tenantName: string;
            scopes: string[];
            createdAt: string;
            lastUsedAt: string;
            membershipId: string;
            memberName: string;
        };
        MemberAssistantGrantPage: {
            data: components["schemas"]["MemberAssistantGrant"][];
            nextCursor: string | null;
        };
        MemberChanges: {
            status: "active" | "disabled";
        };
        MemberPage: {
            data: components["schemas"]["Member"][];
            nextCursor: string | null;
        };
        MemberRole: {
            roleId: string;
            roleName: string;
            roleKey: string | null;
            branchId: string | null;
        };
        MemberRoles: {
            roles: components["schemas"]["NewMemberRole"][];
        };
        MemberSession: {
            id: string;
            client: "web" | "mobile";
            ip: string | null;
            userAgent: string | null;
            createdAt: string;
            lastUsedAt: string;
            current: boolean;
            membershipId: string;
            fullName: string;
            email: string;
            mayEnd: boolean;
        };
        MemberSessionPage: {
            data: components["schemas"]["MemberSession"][];
            nextCursor: string | null;
        };
        MembershipSummary: {
            membershipId: string;
            tenantId: string;
            tenantSlug: string;
            tenantName: string;
            status: "invited" | "active" | "disabled";
            roles: components["schemas"]["RoleSummary"][];
        };
        Merge: {
            otherId: string;
            dryRun?: boolean;
        };
        MergeCount: {
            what: string;
            count: number;
        };
        Money: {
            amountMinor: number;
            currency: components["schemas"]["Currency"];
        };
        NewAbsence: {
            from: string;
            to: string;
            reason: string;
        };
        NewAccount: {
            email: string;
            password: string;
            fullName: string;
            locale?: components["schemas"]["Locale"];
            /**
             * @default web
             * @enum {string}
             */
            client?: "web" | "mobile";
            tenant?: components["schemas"]["NewTenant"];
        };
        NewApiKey: {
            name: string;
            /**
             * @default secret
             * @enum {string}
             */
            kind?: "secret" | "publishable";
            permissions?: components["schemas"]["Permission"][];
            allowedOrigins?: string[];
            rateLimitPerMin?: number | null;
            expiresAt?: string | null;
        };
        NewBillingRun: {
            month: string;
            feeScheduleIds?: string[];
            branchId?: string;
            billAnyway?: components["schemas"]["BilledAnyway"][];
            dryRun?: boolean;
        };
        NewBranch: {
            name: string;
            code?: string;
            address?: components["schemas"]["Address"];
            phone?: string;
            isDefault?: boolean;
        };
        NewCheque: {
            bank: string;
            branch: string;
            account: string;
            number: string;
            amountMinor: number;
            dueOn: string;
        };
        NewChequeDeposit: {
            chequeIds: string[];
            bankAccount: string;
        };
        NewCheques: {
            cheques: components["schemas"]["NewCheque"][];
            allocations?: components["schemas"]["Allocation"][];
            paidBy?: components["schemas"]["PaidBy"];
            branchId?: string;
            currency: components["schemas"]["Currency"];
        };
        NewClosure: {
            name: string;
            from: string;
            to: string;
            branchId?: string | null;
            isBilled?: boolean;
        };
        NewClosures: {
            closures: components["schemas"]["ClosedDays"][];
            branchId?: string | null;
            isBilled?: boolean;
        };
        NewCourse: {
            categoryId: string;
            name: string;
            code?: string | null;
            description?: string | null;
            level?: string | null;
            defaultFeeMinor?: number | null;
            currency?: components["schemas"]["Currency"];
            defaultCapacity?: number | null;
            color?: string | null;
            isActive?: boolean;
            isPublic?: boolean;
            language?: string | null;
            deliveryMode?: components["schemas"]["DeliveryMode"];
        };
        NewCourseCategory: {
            parentId?: string;
            name: string;
            slug: string;
            /**
             * Format: int64
             * @default 0
             */
            sortOrder?: number;
            isActive?: boolean;
        };
        NewCourseEnrollment: {
            studentId: string;
            priceMinor?: number;
            currency?: components["schemas"]["Currency"];
        };
        NewCover: {
            substituteStaffId: string;
            from: string;
            to: string;
            others?: components["schemas"]["CoverDays"][];
            groupIds?: string[];
            exceptSessionIds?: string[];
            reason?: string | null;
            tellFamilies?: boolean;
            dryRun?: boolean;
        };
        NewCreditNote: {
            amountMinor?: number;
            lines?: components["schemas"]["NewCreditNoteLine"][];
            reason: string;
        };
        NewCreditNoteLine: {
            description: string;
            amountMinor: number;
        };
        NewDiscount: {
            studentId?: string;
            guardianId?: string;
            kind: "percent" | "amount";
            value: number;
            currency?: components["schemas"]["Currency"];
            label: string;
            courseId?: string | null;
            groupId?: string | null;
            validFrom: string;
            validTo?: string | null;
        };
        NewEnrollment: {
            studentId: string;
            groupId: string;
            priceMinor?: number;
            currency?: components["schemas"]["Currency"];
            enrolledAt?: string;
        };
        NewEnrollments: {
            studentIds: string[];
            enrolledAt?: string;
        };
        NewExam: {
            title: string;
            kind: "quiz" | "exam" | "homework" | "project" | "final";
            maxScore: number;
            weight?: number;
            heldAt?: string | null;
        };
        NewExamResult: {
            studentId: string;
            score?: number | null;
            isAbsent?: boolean;
            remarks?: string | null;
        };
        NewExamResults: {
            results: components["schemas"]["NewExamResult"][];
        };
        NewFeeSchedule: {
            name: string;
            kind: "per_group" | "per_course" | "one_off" | "registration";
            amountMinor: number;
            currency: components["schemas"]["Currency"];
            recurrence: "once" | "monthly" | "per_term";
            courseId?: string | null;
            groupId?: string | null;
            dueDay?: number | null;
            isActive?: boolean;
            /**
             * @default schedule
             * @enum {string}
             */
            price?: "schedule" | "enrollment";
            validFrom?: string | null;
            validTo?: string | null;
            /**
             * @default none
             * @enum {string}
             */
            proration?: "none" | "lessons" | "days";
        };
        NewFirstInvoiceLine: {
            description: string;
            /**
             * Format: int64
             * @default 1
             */
            quantity?: number;
            unitAmountMinor: number;
            /**
             * Format: int64
             * @default 0
             */
            discountMinor?: number;
            taxRatePercent?: number;
            feeScheduleId?: string | null;
            groupId?: string | null;
            siblingPlace?: number | null;
            currency?: components["schemas"]["Currency"];
        };
        NewGroup: {
            courseId: string;
            branchId: string;
            name: string;
            teacherStaffId?: string | null;
            room?: string | null;
            capacity?: number | null;
            feeMinor?: number | null;
            currency?: components["schemas"]["Currency"];
            startsOn?: string | null;
            endsOn?: string | null;
            status?: components["schemas"]["GroupStatus"];
        };
        NewGroupGrants: {
            courseId: string;
            priceMinor?: number;
            currency?: components["schemas"]["Currency"];
        };
        NewGuardian: {
            userId?: string | null;
            firstName: string;
            lastName: string;
            phone: string;
            email?: string | null;
            nationalId?: string | null;
            preferredLocale?: components["schemas"]["Locale"];
            address?: components["schemas"]["Address"] | null;
        };
        NewGuardianLink: {
            guardianId: string;
            relationship: "mother" | "father" | "grandparent" | "sibling" | "spouse" | "guardian" | "other";
            isPrimary: boolean;
            isPayer: boolean;
            seesLearning?: boolean;
            seesMoney?: boolean;
        };
        NewHomework: {
            text: string;
            dueOn?: string | null;
        };
        NewImport: {
            kind: "students" | "staff" | "enrollments" | "balances";
            fileId: string;
            mapping?: {
                [key: string]: components["schemas"]["ImportField"];
            } | null;
            /**
             * @default by_row
             * @enum {string}
             */
            mode?: "all" | "by_row";
            /**
             * @default refuse
             * @enum {string}
             */
            knownPhone?: "refuse" | "link";
            branchId?: string | null;
            dryRun?: boolean;
        };
        NewInstitute: {
            slug: string;
            name: string;
            defaultLocale: components["schemas"]["Locale"];
            timezone: string;
            currency: components["schemas"]["Currency"];
            baseUrl?: string;
        };
        NewInvoice: {
            studentId: string;
            lines: components["schemas"]["NewInvoiceLine"][];
            dueDate?: string;
            issueDate?: string;
            currency?: components["schemas"]["Currency"];
            notes?: string | null;
            closedYear?: boolean;
        };
        NewInvoiceLine: {
            description: string;
            /**
             * Format: int64
             * @default 1
             */
            quantity?: number;
            unitAmountMinor: number;
            /**
             * Format: int64
             * @default 0
             */
            discountMinor?: number;
            taxRatePercent?: number;
            feeScheduleId?: string;
            enrollmentId?: string;
            courseEnrollmentId?: string;
            siblingPlace?: number | null;
        };
        NewLead: {
            firstName: string;
            lastName: string;
            email?: string | null;
            phone: string;
            guardian?: components["schemas"]["NewLeadGuardian"] | null;
            source?: "widget" | "manual" | "import" | "api";
            courseId?: string | null;
            groupId?: string | null;
            courseInterest?: string | null;
            message?: string | null;
            locale?: components["schemas"]["Locale"] | null;
            assignedToUserId?: string | null;
            note?: string | null;
        };
        NewLeadGuardian: {
            firstName: string;
            lastName: string;
            phone: string;
            email?: string | null;
        };
        NewLesson: {
            title: string;
            description?: string | null;
            kind?: "video" | "text";
            body?: string | null;
            durationSec?: number | null;
            isPreview?: boolean;
        };
        NewLicense: {
            tenantId: string;
            planId?: string | null;
            maxInstalls: number;
            expiresAt?: string | null;
        };
        NewMailServer: {
            host: string;
            port: number;
            encryption: "tls" | "starttls";
            user?: string;
            sender: string;
            password?: string;
        };
        NewMember: {
            email: string;
            roleId: string;
            branchId?: string;
            branchIds?: string[];
            joinsStaff?: boolean;
        };
        NewMemberRole: {
            roleId: string;
            branchId?: string | null;
        };
        NewName: {
            name: string;
            until: string;
        };
        NewNotification: {
            templateKey: string;
            channels: components["schemas"]["NotificationChannel"][];
            recipients?: components["schemas"]["NotificationRecipients"];
            audience?: components["schemas"]["NotificationAudience"];
            data?: {
                [key: string]: string;
            };
            toCall?: boolean;
            dryRun?: boolean;
        };
        NewNotificationPreferences: {
            preferences: components["schemas"]["NotificationPreference"][];
        };
        NewNotificationProvider: {
            provider: "smtp" | "https" | "twilio" | "meta" | "web_push";
            host?: string;
            port?: number;
            security?: "starttls" | "tls";
            user?: string;
            password?: string;
            from?: string;
            url?: string;
            token?: string;
            accountSid?: string;
            phoneNumberId?: string;
            publicKey?: string;
            privateKey?: string;
            subject?: string;
        };
        NewNotificationTemplate: {
            key: string;
            channel: components["schemas"]["NotificationChannel"];
            locale: components["schemas"]["Locale"];
            subject?: string;
            body: string;
            providerTemplateName?: string;
            isActive?: boolean;
        };
        NewOrder: {
            ids: string[];
            seen?: string[];
        };
        NewOwner: {
            email: string;
            password: string;
            firstName: string;
            lastName: string;
        };
        NewPasskey: {
            name: string;
            clientData: string;
            authenticatorData: string;
            publicKey: string;
        };
        NewPayment: {
            amountMinor: number;
            currency: components["schemas"]["Currency"];
            method: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
            /**
             * @default manual
             * @enum {string}
             */
            provider?: "manual" | "online" | "import";
            receivedAt?: string;
            reference?: string;
        };
        NewPlan: {
            code: string;
            name: string;
            priceMinor: number;
            currency: components["schemas"]["Currency"];
            interval: "monthly" | "yearly";
            features: components["schemas"]["PlanFeatureChanges"];
            quotas: components["schemas"]["PlanQuotaChanges"];
        };
        NewPlatformTenant: {
            slug: string;
            name: string;
            defaultLocale: components["schemas"]["Locale"];
            timezone: string;
            currency: components["schemas"]["Currency"];
            /**
             * @default cloud
             * @enum {string}
             */
            deploymentMode?: "cloud" | "self_hosted";
            owner: components["schemas"]["NewTenantOwner"];
            planId?: string;
        };
        NewPlatformUser: {
            email: string;
            fullName: string;
        };
        NewProgressReport: {
            studentId: string;
            groupId?: string | null;
            periodStart: string;
            periodEnd: string;
            comment?: string | null;
        };
        NewProposal: {
            studentId?: string;
            guardianId?: string;
            changes: components["schemas"]["ProposedDetails"];
            note?: string;
        };
        NewPushDevice: {
            endpoint: string;
            keys: components["schemas"]["PushKeys"];
            applicationServerKey?: string;
        };
        NewQuietHours: {
            from: string;
            to: string;
        };
        NewReceipt: {
            allocations?: components["schemas"]["Allocation"][];
            amountMinor?: number;
            paidBy?: components["schemas"]["PaidBy"];
            branchId?: string;
            currency: components["schemas"]["Currency"];
            method: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
            /**
             * @default manual
             * @enum {string}
             */
            provider?: "manual" | "online" | "import";
            reference?: string;
            receivedAt?: string;
            cheque?: components["schemas"]["ChequeDetails"];
        };
        NewRefund: {
            guardianId?: string;
            studentId?: string;
            amountMinor: number;
            currency?: components["schemas"]["Currency"];
            method: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
            reference?: string;
            reason: string;
            paidAt?: string;
        };
        NewRegistration: {
            guardian?: components["schemas"]["RegistrationGuardian"] | null;
            relationship?: "mother" | "father" | "grandparent" | "sibling" | "spouse" | "guardian" | "other";
            isPrimary?: boolean;
            isPayer?: boolean;
            students: components["schemas"]["RegistrationStudent"][];
            /**
             * @default none
             * @enum {string}
             */
            invoice?: "none" | "draft" | "issue";
            dueDate?: string;
            leadId?: string | null;
            dryRun?: boolean;
        };
        NewRole: {
            name: string;
            description?: string | null;
            permissions: components["schemas"]["Permission"][];
        };
        NewRolePreview: {
            branchId?: string | null;
        };
        NewRollover: {
            groupIds: string[];
            startsOn: string;
            endsOn: string;
            names?: components["schemas"]["RolloverName"][];
            keepTimes?: boolean;
            keepTeachers?: boolean;
            studentIds?: string[];
            except?: components["schemas"]["RolloverException"][];
            /**
             * @default keep
             * @enum {string}
             */
            priceRule?: "keep" | "group_default";
            dryRun?: boolean;
            notify?: boolean;
        };
        NewSchedule: {
            schedules: components["schemas"]["NewScheduleRule"][];
        };
        NewScheduleRule: {
            weekday: number;
            startTime: string;
            endTime: string;
            validFrom: string;
            validTo?: string | null;
        };
        NewSecondFactor: {
            appSecret: string;
            uri: string;
        };
        NewSection: {
            title: string;
        };
        NewSession: {
            scheduledStart: string;
            scheduledEnd: string;
            topic?: string | null;
            homework?: components["schemas"]["NewHomework"] | null;
            notes?: string | null;
            teacherStaffId?: string | null;
            lessonId?: string | null;
            notify?: boolean;
        };
        NewSiblingDiscount: {
            child: number;
            percent: number;
        };
        NewStaff: {
            branchId: string;
            firstName: string;
            lastName: string;
            email?: string | null;
            phone?: string | null;
            title?: string | null;
            userId?: string | null;
            isActive?: boolean;
        };
        NewStudent: {
            branchId: string;
            firstName: string;
            lastName: string;
            studentNumber?: string;
            email?: string | null;
            phone?: string | null;
            nationalId?: string | null;
            birthDate?: string | null;
            gender?: ("male" | "female" | "other") | null;
            address?: components["schemas"]["Address"] | null;
            tags?: string[] | null;
            notes?: string | null;
            userId?: string | null;
        };
        NewSubscription: {
            planId: string;
            /**
             * @default active
             * @enum {string}
             */
            status?: "trialing" | "active" | "past_due";
            currentPeriodEnd: string;
        };
        NewTenant: {
            slug: string;
            name: string;
            defaultLocale?: components["schemas"]["Locale"];
            timezone?: string;
            currency?: components["schemas"]["Currency"];
        };
        NewTenantDomain: {
            domain: string;
            kind: "subdomain" | "custom";
        };
        NewTenantOwner: {
            email: string;
            fullName: string;
        };
        NewTerm: {
            name: string;
            startsOn: string;
        };
        NewWaitingEntry: {
            studentId: string;
            note?: string | null;
        };
        NewWalkIn: {
            studentId: string;
            /**
             * @default present
             * @enum {string}
             */
            status?: "present" | "late";
            /**
             * Format: int64
             * @default 0
             */
            minutesLate?: number;
            note?: string | null;
        };
        NewWebhookEndpoint: {
            url: string;
            events: components["schemas"]["EventType"][];
            isActive?: boolean;
        };
        NextSession: {
            sessionId: string;
            groupId: string;
            groupName: string;
            scheduledStart: string;
            scheduledEnd: string;
            room: string | null;
        };
        Notification: {
            id: string;
            templateKey: string;
            locale: components["schemas"]["Locale"];
            title: string;
            body: string;
            payload: {
                [key: string]: string;
            };
            readAt: string | null;
            createdAt: string;
        };
        NotificationAudience: {
            kind: "group" | "branch" | "debtors" | "absent";
            groupIds?: string[];
            branchId?: string;
            date?: string;
            isOverdue?: boolean;
            /**
             * @default both
             * @enum {string}
             */
            to?: "students" | "guardians" | "both";
        };
        NotificationCall: {
            id: string;
            sourceId: string;
            templateKey: string;
            recipient: components["schemas"]["CalledRecipient"];
            phone: string | null;
            locale: components["schemas"]["Locale"];
            title: string;
            body: string;
            payload: {
                [key: string]: string;
            };
            status: "open" | "told" | "not_needed";
            how: ("call" | "whatsapp" | "sms" | "other") | null;
            toldAt: string | null;
            toldByName: string | null;
            createdAt: string;
        };
        NotificationCallPage: {
            data: components["schemas"]["NotificationCall"][];
            nextCursor: string | null;
        };
        NotificationChannel: "in_app" | "email" | "sms" | "whatsapp" | "push";
        NotificationLogEntry: {
            id: string;
            sourceId: string;
            templateKey: string;
            channel: components["schemas"]["NotificationChannel"];
            locale: components["schemas"]["Locale"];
            recipient: components["schemas"]["NotificationRecipient"];
            title: string;
            body: string;
            payload: {
                [key: string]: string;
            };
            status: components["schemas"]["NotificationStatus"];
            reason: string | null;
            attempts: number;
            nextAttemptAt: string | null;
            sentAt: string | null;
            because: ("no_email" | "no_phone" | "no_account" | "not_set_up" | "switched_off" | "opted_out" | "no_text" | "text_off" | "over_quota" | "too_often" | "no_member" | "institute_archived" | "dropped" | "quiet_hours") | null;
            readAt: string | null;
            createdAt: string;
        };
        NotificationLogEntryPage: {
            data: components["schemas"]["NotificationLogEntry"][];
            nextCursor: string | null;
        };
        NotificationLogMessage: {
            id: string;
            sourceId: string;
            templateKey: string;
            channel: components["schemas"]["NotificationChannel"];
            locale: components["schemas"]["Locale"];
            recipient: components["schemas"]["NotificationRecipient"];
            title: string;
            body: string;
            payload: {
                [key: string]: string;
            };
            status: components["schemas"]["NotificationStatus"];
            reason: string | null;
            attempts: number;
            nextAttemptAt: string | null;
            sentAt: string | null;
            because: ("no_email" | "no_phone" | "no_account" | "not_set_up" | "switched_off" | "opted_out" | "no_text" | "text_off" | "over_quota" | "too_often" | "no_member" | "institute_archived" | "dropped" | "quiet_hours") | null;
            readAt: string | null;
            createdAt: string;
            tries: components["schemas"]["NotificationTry"][];
        };
        NotificationPage: {
            data: components["schemas"]["Notification"][];
            nextCursor: string | null;
        };
        NotificationPreference: {
            channel: components["schemas"]["NotificationChannel"];
            enabled: boolean;
            digestMode: components["schemas"]["DigestMode"];
        };
        NotificationPreferences: {
            preferences: components["schemas"]["NotificationPreference"][];
        };
        NotificationProvider: {
            channel: "email" | "sms" | "whatsapp" | "push";
            provider: ("smtp" | "https" | "twilio" | "meta" | "web_push" | "server") | null;
            host: string | null;
            port: number | null;
            security: ("starttls" | "tls") | null;
            user: string | null;
            from: string | null;
            url: string | null;
            accountSid: string | null;
            phoneNumberId: string | null;
            publicKey: string | null;
            subject: string | null;
            secretSetAt: string | null;
            updatedAt: string | null;
        };
        NotificationProviderPage: {
            data: components["schemas"]["NotificationProvider"][];
            nextCursor: string | null;
        };
        NotificationProviderTrial: {
            to?: string;
            templateName?: string;
        };
        NotificationProviderTrialResult: {
            ok: boolean;
            error: string | null;
        };
        NotificationRecipient: {
            kind: "user" | "student" | "guardian" | "staff";
            id: string;
            name: string;
            address: string | null;
        };
        NotificationRecipients: {
            studentIds?: string[];
            guardianIds?: string[];
            userIds?: string[];
            groupId?: string;
        };
        NotificationStatus: "queued" | "sent" | "failed" | "skipped";
        NotificationTemplate: {
            id: string;
            key: string;
            channel: components["schemas"]["NotificationChannel"];
            locale: components["schemas"]["Locale"];
            subject: string | null;
            body: string;
            providerTemplateName: string | null;
            isActive: boolean;
            isPlatformDefault: boolean;
            variables: string[];
            createdAt: string;
            updatedAt: string;
        };
        NotificationTemplateChanges: {
            subject?: string | null;
            body?: string;
            providerTemplateName?: string | null;
            isActive?: boolean;
        };
        NotificationTemplatePage: {
            data: components["schemas"]["NotificationTemplate"][];
            nextCursor: string | null;
        };
        NotificationTry: {
            at: string;
            outcome: "sent" | "later" | "failed" | "skipped" | "kept";
            reason: string | null;
        };
        NotificationUsage: {
            month: string;
            channels: components["schemas"]["ChannelUsage"][];
            total: number;
            limit: number | null;
        };
        NotificationsRead: {
            ok: true;
            updated: number;
        };
        OAuthClient: {
            client_id: string;
            client_id_issued_at: number;
            client_name: string;
            client_uri?: string;
            redirect_uris: string[];
            grant_types: string[];
            response_types: string[];
            token_endpoint_auth_method: "none";
            scope: string;
        };
        OAuthClientRegistration: {
            client_name?: string;
            client_uri?: string;
            redirect_uris: string[];
            grant_types?: string[];
            response_types?: string[];
        };
        OAuthRevocation: {
            token?: string;
            token_type_hint?: string;
            client_id?: string;
        };
        OAuthRevoked: Record<string, never>;
        OAuthTokenRequest: {
            grant_type?: string;
            client_id?: string;
            code?: string;
            redirect_uri?: string;
            code_verifier?: string;
            refresh_token?: string;
            scope?: string;
            resource?: string;
        };
        OAuthTokens: {
            access_token: string;
            token_type: "Bearer";
            expires_in: number;
            refresh_token: string;
            scope: string;
        };
        OfferedVersion: {
            version: string;
            news: components["schemas"]["VersionNews"];
            sizeBytes: number;
            isFromStick: boolean;
        };
        Ok: {
            ok: true;
        };
        OnlinePayment: {
            id: string;
            invoiceId: string;
            amount: components["schemas"]["Money"];
            provider: "stripe" | "payplus";
            state: "opening" | "open" | "pending" | "paid" | "failed" | "expired";
            paidMinor: number | null;
            paidCurrency: string | null;
            paidAt: string | null;
            providerPaymentId: string | null;
            receiptId: string | null;
            problem: ("other_amount" | "other_currency" | "became_credit" | "not_booked" | "refunded" | "disputed") | null;
            settledAt: string | null;
            expiresAt: string;
            createdAt: string;
        };
        OnlinePaymentPage: {
            data: components["schemas"]["OnlinePayment"][];
            nextCursor: string | null;
        };
        OpenTill: {
            since: string | null;
            lastClosedAt: string | null;
            entries: number;
            lines: components["schemas"]["OpenTillLine"][];
            held: components["schemas"]["ChequesInTill"][];
        };
        OpenTillLine: {
            method: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
            expected: components["schemas"]["Money"];
            entries: number;
        };
        OwnAbsence: {
            id: string;
            from: string;
            to: string;
            reason: string;
        };
        OwnAttendance: {
            data: components["schemas"]["OwnAttendanceEntry"][];
            nextCursor: string | null;
            rate: components["schemas"]["AttendanceRate"];
        };
        OwnAttendanceEntry: {
            sessionId: string;
            groupId: string;
            scheduledStart: string;
            status: components["schemas"]["AttendanceStatus"];
            minutesLate: number;
            note: string | null;
            markedAt: string;
            groupName: string;
        };
        OwnCourse: {
            courseEnrollmentId: string;
            courseId: string;
            name: string;
            description: string | null;
            status: "pending" | "active" | "completed" | "dropped";
            grantedAt: string;
            endedAt: string | null;
            lessonCount: number;
            completedCount: number;
            lastCompletedAt: string | null;
        };
        OwnCourseDetail: {
            courseEnrollmentId: string;
            courseId: string;
            name: string;
            description: string | null;
            status: "pending" | "active" | "completed" | "dropped";
            grantedAt: string;
            endedAt: string | null;
            lessonCount: number;
            completedCount: number;
            lastCompletedAt: string | null;
            sections: components["schemas"]["OwnSection"][];
        };
        OwnCoursePage: {
            data: components["schemas"]["OwnCourse"][];
            nextCursor: string | null;
        };
        OwnDetails: {
            records: components["schemas"]["OwnRecord"][];
        };
        OwnFamily: {
            people: components["schemas"]["OwnFamilyPerson"][];
            isPaidOnline: boolean;
        };
        OwnFamilyPerson: {
            studentId: string;
            fullName: string;
            relation: "student" | "guardian";
            seesLearning: boolean;
            seesMoney: boolean;
            groups: components["schemas"]["FamilyGroup"][];
            attendanceRate30d: number | null;
            today: components["schemas"]["OwnLessonToday"][];
            absence: components["schemas"]["OwnAbsence"] | null;
            nextSession: components["schemas"]["NextSession"] | null;
            balance: components["schemas"]["Money"] | null;
            openInvoices: components["schemas"]["FamilyInvoice"][];
            reports: components["schemas"]["OwnReport"][];
        };
        OwnInvoice: {
            id: string;
            number: string;
            status: components["schemas"]["InvoiceStatus"];
            issueDate: string;
            dueDate: string;
            total: components["schemas"]["Money"];
            paid: components["schemas"]["Money"];
            balance: components["schemas"]["Money"];
            firstLine: string;
            lineCount: number;
            hasPaper: boolean;
        };
        OwnLesson: {
            id: string;
            courseId: string;
            sectionId: string;
            title: string;
            description: string | null;
            kind: "video" | "text";
            body: string | null;
            durationSec: number | null;
            sortOrder: number;
            isPreview: boolean;
            publishedAt: string | null;
            video: components["schemas"]["LessonVideo"] | null;
            version: number;
            createdAt: string;
            updatedAt: string;
            isOpen: boolean;
            completedAt: string | null;
        };
        OwnLessonToday: {
            sessionId: string;
            groupId: string;
            groupName: string;
            room: string | null;
            scheduledStart: string;
            scheduledEnd: string;
            status: "scheduled" | "held" | "cancelled";
            cancelReason: string | null;
            attendance: ("present" | "absent" | "late" | "excused") | null;
            minutesLate: number;
        };
        OwnProposal: {
            id: string;
            status: "open" | "accepted" | "declined" | "withdrawn";
            fields: ("firstName" | "lastName" | "birthDate" | "phone" | "email" | "nationalId" | "address")[];
            proposed: components["schemas"]["PersonDetails"];
            note: string | null;
            acceptedFields: ("firstName" | "lastName" | "birthDate" | "phone" | "email" | "nationalId" | "address")[];
            remark: string | null;
            createdAt: string;
            decidedAt: string | null;
        };
        OwnPushDevice: {
            id: string;
            userAgent: string | null;
            createdAt: string;
            lastUsedAt: string;
            current: boolean;
        };
        OwnPushDevicePage: {
            data: components["schemas"]["OwnPushDevice"][];
            nextCursor: string | null;
        };
        OwnReceipt: {
            id: string;
            number: string;
            receivedAt: string;
            method: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
            amount: components["schemas"]["Money"];
            cancelledAt: string | null;
            hasPaper: boolean;
        };
        OwnRecord: {
            studentId: string | null;
            guardianId: string | null;
            fullName: string;
            isOwn: boolean;
            details: components["schemas"]["PersonDetails"];
            fields: ("firstName" | "lastName" | "birthDate" | "phone" | "email" | "nationalId" | "address")[];
            proposal: components["schemas"]["OwnProposal"] | null;
        };
        OwnReport: {
            id: string;
            groupId: string | null;
            periodStart: string;
            periodEnd: string;
            attendance: components["schemas"]["ReportAttendance"];
            exams: components["schemas"]["ExamFigure"][];
            average: number | null;
            comment: string | null;
            sentAt: string;
        };
        OwnResult: {
            examId: string;
            groupId: string;
            groupName: string;
            title: string;
            kind: "quiz" | "exam" | "homework" | "project" | "final";
            heldAt: string | null;
            publishedAt: string;
            score: number | null;
            maxScore: number;
            isAbsent: boolean;
            remarks: string | null;
            fileCount: number;
        };
        OwnSection: {
            id: string;
            courseId: string;
            title: string;
            sortOrder: number;
            version: number;
            createdAt: string;
            updatedAt: string;
            lessons: components["schemas"]["OwnLesson"][];
        };
        OwnStudent: {
            studentId: string;
            fullName: string;
            relation: "student" | "guardian";
            seesLearning: boolean;
            seesMoney: boolean;
            groups: components["schemas"]["FamilyGroup"][];
            attendanceRate30d: number | null;
            absences: components["schemas"]["OwnAbsence"][];
            results: components["schemas"]["OwnResult"][];
            reports: components["schemas"]["OwnReport"][];
            courses: components["schemas"]["OwnCourse"][];
        };
        OwnStudentMoney: {
            balance: components["schemas"]["Money"];
            invoices: components["schemas"]["OwnInvoice"][];
            receipts: components["schemas"]["OwnReceipt"][];
            howToPay: string | null;
            isPaidOnline: boolean;
        };
        OwnSubscription: {
            planName: string;
            price: components["schemas"]["Money"];
            interval: "monthly" | "yearly";
            status: "trialing" | "active" | "past_due" | "cancelled" | "expired";
            currentPeriodStart: string;
            currentPeriodEnd: string;
            cancelledAt: string | null;
        };
        OwnerMail: {
            to: string;
            kind: "welcome" | "notice";
            linkExpiresAt: string | null;
        };
        PaidBy: {
            guardianId?: string;
            studentId?: string;
        };
        PaperSettings: {
            taxNumber: string | null;
            address: string | null;
            inMails: boolean;
        };
        PaperSettingsChanges: {
            taxNumber?: string | null;
            address?: string | null;
            inMails?: boolean;
        };
        Passkey: {
            id: string;
            name: string;
            isSynced: boolean;
            createdAt: string;
            lastUsedAt: string | null;
        };
        PasskeyChallenge: {
            challenge: string;
            rpId: string;
        };
        PasskeyChanges: {
            name: string;
        };
        PasskeyLogin: {
            credentialId: string;
            userHandle: string;
            clientData: string;
            authenticatorData: string;
            signature: string;
            /**
             * @default web
             * @enum {string}
             */
            client?: "web" | "mobile";
        };
        PasskeyOptions: {
            challenge: string;
            rpId: string;
            userHandle: string;
            userName: string;
            displayName: string;
            known: string[];
        };
        PasskeyRequest: {
            password: string;
        };
        Passkeys: {
            passkeys: components["schemas"]["Passkey"][];
            address: string;
            obstacle: ("plain_http" | "ip_address") | null;
        };
        PasswordAgain: {
            password: string;
        };
        PasswordChange: {
            currentPassword: string;
            newPassword: string;
        };
        PasswordReset: {
            token: string;
            newPassword: string;
        };
        PayLink: {
            url: string | null;
        };
        Payment: {
            id: string;
            invoiceId: string;
            amount: components["schemas"]["Money"];
            method: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
            provider: "manual" | "online" | "import";
            reference: string | null;
            reason: string | null;
            reversesPaymentId: string | null;
            receivedAt: string;
            receivedByUserId: string | null;
            createdAt: string;
        };
        PaymentPage: {
            data: components["schemas"]["Payment"][];
            nextCursor: string | null;
        };
        PaymentProvider: {
            provider: "stripe" | "payplus";
            isOn: boolean;
            paymentPageUid: string | null;
            terminalUid: string | null;
            system: string | null;
            noticeUrl: string | null;
            noticeProblem: ("not_public" | "not_https") | null;
            secretSetAt: string | null;
            updatedAt: string | null;
        };
        PaymentProviderChanges: {
            isOn?: boolean;
            secretKey?: string;
            webhookSecret?: string;
            apiKey?: string;
            paymentPageUid?: string;
            terminalUid?: string;
            system?: "live" | "test";
        };
        PaymentProviderPage: {
            data: components["schemas"]["PaymentProvider"][];
            nextCursor: string | null;
        };
        PaymentProviderTrial: {
            ok: boolean;
            error: string | null;
        };
        PendingLicenseCommand: {
            id: string;
            kind: "lock" | "unlock";
            reason: string | null;
            issuedAt: string;
        };
        Permission: "students.read" | "students.write" | "guardians.read" | "guardians.write" | "staff.read" | "staff.write" | "members.read" | "members.manage" | "roles.manage" | "branches.manage" | "settings.manage" | "courses.read" | "courses.write" | "groups.read" | "groups.write" | "enrollments.read" | "enrollments.write" | "attendance.read" | "attendance.mark" | "exams.read" | "exams.write" | "reports.read" | "reports.write" | "invoices.read" | "invoices.write" | "payments.record" | "curriculum.read" | "curriculum.write" | "leads.read" | "leads.write" | "notifications.manage" | "notifications.send" | "files.read" | "files.write" | "audit.read" | "integration.manage" | "mcp.access";
        PermissionInfo: {
            key: components["schemas"]["Permission"];
            description: string;
            group: string;
        };
        PermissionInfoPage: {
            data: components["schemas"]["PermissionInfo"][];
            nextCursor: string | null;
        };
        PermissionLimit: {
            permission: string;
            branchIds: string[];
        };
        PersonDetails: {
            firstName: string;
            lastName: string;
            birthDate: string | null;
            phone: string | null;
            email: string | null;
            nationalId: string | null;
            address: components["schemas"]["Address"] | null;
        };
        PersonInvitation: {
            email?: string;
        };
        Plan: {
            id: string;
            code: string;
            name: string;
            price: components["schemas"]["Money"];
            interval: "monthly" | "yearly";
            features: components["schemas"]["PlanFeatures"];
            quotas: components["schemas"]["PlanQuotas"];
            archivedAt: string | null;
            createdAt: string;
            updatedAt: string;
        };
        PlanChanges: {
            code?: string;
            name?: string;
            priceMinor?: number;
            currency?: components["schemas"]["Currency"];
            interval?: "monthly" | "yearly";
            features?: components["schemas"]["PlanFeatureChanges"];
            quotas?: components["schemas"]["PlanQuotaChanges"];
        };
        PlanEnd: {
            endsAt: string;
            isOver: boolean;
            locksAt: string | null;
        };
        PlanFeatureChanges: {
            basic_reports?: boolean | null;
            advanced_reports?: boolean | null;
            integration_api?: boolean | null;
            mcp?: boolean | null;
            custom_domain?: boolean | null;
            whatsapp_notifications?: boolean | null;
            sms_notifications?: boolean | null;
            byo_email_provider?: boolean | null;
            byo_push_provider?: boolean | null;
            courses_video?: boolean | null;
        };
        PlanFeatures: {
            basic_reports: boolean | null;
            advanced_reports: boolean | null;
            integration_api: boolean | null;
            mcp: boolean | null;
            custom_domain: boolean | null;
            whatsapp_notifications: boolean | null;
            sms_notifications: boolean | null;
            byo_email_provider: boolean | null;
            byo_push_provider: boolean | null;
            courses_video: boolean | null;
        };
        PlanLimitUse: {
            limit: "maxStudents" | "maxStaff" | "maxBranches" | "maxGroups" | "maxCourses" | "maxStorageBytes" | "maxApiKeys" | "maxMonthlyMessages" | "apiRateLimitPerMin";
            most: number | null;
            used: number | null;
            state: "ok" | "near" | "full";
        };
        PlanPage: {
            data: components["schemas"]["Plan"][];
            nextCursor: string | null;
        };
        PlanQuotaChanges: {
            maxStudents?: number | null;
            maxStaff?: number | null;
            maxBranches?: number | null;
            maxGroups?: number | null;
            maxCourses?: number | null;
            maxStorageBytes?: number | null;
            maxApiKeys?: number | null;
            maxMonthlyMessages?: number | null;
            apiRateLimitPerMin?: number | null;
        };
        PlanQuotas: {
            maxStudents: number | null;
            maxStaff: number | null;
            maxBranches: number | null;
            maxGroups: number | null;
            maxCourses: number | null;
            maxStorageBytes: number | null;
            maxApiKeys: number | null;
            maxMonthlyMessages: number | null;
            apiRateLimitPerMin: number | null;
        };
        PlanUse: {
            subscription: components["schemas"]["OwnSubscription"] | null;
            limits: components["schemas"]["PlanLimitUse"][];
        };
        PlannedChannel: {
            channel: components["schemas"]["NotificationChannel"];
            messages: number;
            goesAt: string | null;
            segments: components["schemas"]["PlannedSegments"] | null;
        };
        PlannedLanguage: {
            locale: components["schemas"]["Locale"];
            people: number;
        };
        PlannedSegments: {
            least: number;
            most: number;
            all: number;
        };
        PlannedText: {
            channel: components["schemas"]["NotificationChannel"];
            locale: components["schemas"]["Locale"];
            recipient: string;
            title: string;
            body: string;
        };
        PlatformMonth: {
            month: string;
            institutes: number;
            created: number;
            archived: number;
            cancelled: number;
            locked: number;
            students: number | null;
            recurring: components["schemas"]["RecurringRevenue"][] | null;
            totals: components["schemas"]["Money"][] | null;
            countedAt: string | null;
        };
        PlatformMonthPage: {
            data: components["schemas"]["PlatformMonth"][];
            nextCursor: string | null;
        };
        PlatformUser: {
            id: string;
            email: string;
            fullName: string;
            locale: components["schemas"]["Locale"];
            status: "active" | "disabled";
            emailVerified: boolean;
            isPlatformAdmin: boolean;
            hasSecondFactor: boolean;
            createdAt: string;
            updatedAt: string;
        };
        PlatformUserChanges: {
            status: "active" | "disabled";
        };
        PlatformUserPage: {
            data: components["schemas"]["PlatformUser"][];
            nextCursor: string | null;
        };
        Price: {
            feeScheduleId: string;
            feeName: string;
            enrollmentId: string | null;
            courseEnrollmentId: string | null;
            groupId: string | null;
            groupName: string | null;
            courseId: string | null;
            courseName: string | null;
            state: "due" | "paused" | "group_cancelled" | "group_over" | "group_not_begun" | "enrolled_later" | "left_before" | "already_billed" | "invoiced_by_hand" | "may_be_billed" | "no_price" | "no_term" | "invoice_too_large" | "sums_full";
            charge: components["schemas"]["PriceCharge"] | null;
        };
        PriceCharge: {
            priceOf: "schedule" | "enrollment";
            full: components["schemas"]["Money"];
            part: components["schemas"]["PricePart"] | null;
            charged: components["schemas"]["Money"];
            discounts: components["schemas"]["PriceDiscount"][];
            discount: components["schemas"]["Money"];
            total: components["schemas"]["Money"];
            siblingPlace: number | null;
            description: string;
        };
        PriceDiscount: {
            discountId: string | null;
            kind: "percent" | "amount" | "siblings";
            label: string | null;
            percent: number | null;
            off: components["schemas"]["Money"];
        };
        PricePart: {
            of: "lessons" | "days";
            count: number;
            all: number;
        };
        Prices: {
            studentId: string;
            month: string;
            prices: components["schemas"]["Price"][];
        };
        ProfileChanges: {
            fullName?: string;
            phone?: string | null;
            locale?: components["schemas"]["Locale"];
            avatarFileId?: string | null;
        };
        ProgressReport: {
            id: string;
            studentId: string;
            groupId: string | null;
            periodStart: string;
            periodEnd: string;
            status: "draft" | "sent";
            attendance: components["schemas"]["ReportAttendance"];
            exams: components["schemas"]["ExamFigure"][];
            average: number | null;
            comment: string | null;
            sentAt: string | null;
            sentByUserId: string | null;
            submittedAt: string | null;
            remark: string | null;
            version: number;
            createdAt: string;
            updatedAt: string;
        };
        ProgressReportChanges: {
            groupId?: string | null;
            periodStart?: string;
            periodEnd?: string;
            comment?: string | null;
            version?: number;
        };
        ProgressReportIds: {
            ids: string[];
        };
        ProgressReportNotSent: {
            id: string;
            reason: "not_found" | "already_sent" | "approval_needed" | "nobody_reached";
        };
        ProgressReportNotSubmitted: {
            id: string;
            reason: "not_found" | "already_sent" | "submitted";
        };
        ProgressReportReturn: {
            remark: string;
        };
        ProgressReportSending: {
            onPaper?: boolean;
        };
        ProgressReportsSending: {
            ids: string[];
            onPaper?: boolean;
        };
        ProposalRefusal: {
            seen: string;
            remark: string;
        };
        ProposedChange: {
            studentId: string | null;
            guardianId: string | null;
            fullName: string;
            id: string;
            status: "open" | "accepted" | "declined" | "withdrawn";
            fields: ("firstName" | "lastName" | "birthDate" | "phone" | "email" | "nationalId" | "address")[];
            proposed: components["schemas"]["PersonDetails"];
            note: string | null;
            acceptedFields: ("firstName" | "lastName" | "birthDate" | "phone" | "email" | "nationalId" | "address")[];
            remark: string | null;
            createdAt: string;
            decidedAt: string | null;
            byUserId: string;
            byName: string;
            relationship: ("mother" | "father" | "grandparent" | "sibling" | "spouse" | "guardian" | "other") | null;
            stands: components["schemas"]["PersonDetails"];
            changedSince: ("firstName" | "lastName" | "birthDate" | "phone" | "email" | "nationalId" | "address")[];
            seen: string;
        };
        ProposedChangePage: {
            data: components["schemas"]["ProposedChange"][];
            nextCursor: string | null;
        };
        ProposedDetails: {
            firstName?: string;
            lastName?: string;
            birthDate?: string | null;
            phone?: string | null;
            email?: string | null;
            nationalId?: string | null;
            address?: components["schemas"]["Address"] | null;
        };
        ProtectedResourceMetadata: {
            resource: string;
            resource_name: string;
            authorization_servers: string[];
            scopes_supported: string[];
            bearer_methods_supported: string[];
        };
        ProviderNotice: Record<string, never>;
        PushDevice: {
            id: string;
            applicationServerKey: string;
            createdAt: string;
        };
        PushKey: {
            applicationServerKey: string;
        };
        PushKeys: {
            p256dh: string;
            auth: string;
        };
        QueuePause: {
            reason: string;
        };
        QueuedJob: {
            id: string;
            name: string;
            tenantId: string | null;
            lane: string;
            state: "queued" | "paused" | "running" | "failed";
            attempts: number;
            maxAttempts: number;
            runAt: string;
            lastError: string | null;
            createdAt: string;
        };
        QueuedJobPage: {
            data: components["schemas"]["QueuedJob"][];
            nextCursor: string | null;
        };
        QueuedNotifications: {
            batchId: string | null;
            dryRun: boolean;
            people: number;
            queued: number;
            skipped: components["schemas"]["SkippedRecipient"][];
            channels: components["schemas"]["PlannedChannel"][];
            languages: components["schemas"]["PlannedLanguage"][];
            unreached: components["schemas"]["UnreachedRecipient"][];
            called: number;
            counted: number;
            room: number | null;
            texts: components["schemas"]["PlannedText"][];
            budget: components["schemas"]["TeacherBudget"] | null;
        };
        QuietDays: {
            weekdays: number[];
            onClosedDays: boolean;
        };
        QuietDaysChanges: {
            weekdays?: number[];
            onClosedDays?: boolean;
        };
        QuietHours: {
            from: string;
            to: string;
        };
        Readiness: {
            status: "ok" | "error";
            checks: components["schemas"]["HealthChecks"];
        };
        Reason: {
            reason: string;
        };
        Receipt: {
            id: string;
            number: string;
            payerGuardianId: string | null;
            payerName: string | null;
            studentIds: string[];
            students: components["schemas"]["ReceiptStudent"][];
            amount: components["schemas"]["Money"];
            credit: components["schemas"]["Money"] | null;
            method: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
            reference: string | null;
            receivedAt: string;
            cancelledAt: string | null;
            payments: components["schemas"]["ReceiptPayment"][];
            cheques: components["schemas"]["ReceiptCheque"][];
        };
        ReceiptCheque: {
            id: string;
            bank: string;
            branch: string;
            account: string;
            number: string;
            amount: components["schemas"]["Money"];
            dueOn: string;
            status: components["schemas"]["ChequeStatus"];
        };
        ReceiptPage: {
            data: components["schemas"]["Receipt"][];
            nextCursor: string | null;
        };
        ReceiptPayment: {
            id: string;
            invoiceId: string;
            amount: components["schemas"]["Money"];
            method: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
            provider: "manual" | "online" | "import";
            reference: string | null;
            reason: string | null;
            reversesPaymentId: string | null;
            receivedAt: string;
            receivedByUserId: string | null;
            createdAt: string;
            invoiceNumber: string;
        };
        ReceiptStudent: {
            id: string;
            fullName: string;
        };
        ReceiptSums: {
            count: number | null;
            cancelled: number | null;
            totals: components["schemas"]["Money"][] | null;
        };
        RecoveryCodes: {
            recoveryCodes: string[];
        };
        RecurringRevenue: {
            planId: string;
            planName: string;
            subscriptions: number;
            amount: components["schemas"]["Money"];
        };
        RefreshedTokens: {
            accessToken: string;
            refreshToken?: string;
        };
        Refund: {
            id: string;
            number: string;
            guardianId: string | null;
            studentId: string | null;
            payerName: string;
            amount: components["schemas"]["Money"];
            method: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
            reference: string | null;
            reason: string;
            paidAt: string;
            createdAt: string;
        };
        RefundPage: {
            data: components["schemas"]["Refund"][];
            nextCursor: string | null;
        };
        RefusedEnrollment: {
            studentId: string;
            reason: "not_found" | "cannot_enroll" | "already_enrolled" | "group_full";
        };
        Registration: {
            dryRun: boolean;
            guardian: components["schemas"]["Guardian"] | null;
            knownGuardians: components["schemas"]["KnownGuardian"][];
            students: components["schemas"]["StudentOfRegistration"][];
            groups: components["schemas"]["GroupOfRegistration"][];
            refusal: components["schemas"]["RegistrationRefusal"] | null;
        };
        RegistrationGroup: {
            groupId: string;
            priceMinor?: number;
            currency?: components["schemas"]["Currency"];
            enrolledAt?: string;
        };
        RegistrationGuardian: {
            id?: string;
            firstName?: string;
            lastName?: string;
            phone?: string;
            email?: string | null;
            nationalId?: string | null;
            preferredLocale?: components["schemas"]["Locale"];
            address?: components["schemas"]["Address"] | null;
        };
        RegistrationRefusal: {
            code: string;
            reason: string | null;
            message: string;
            path: string[];
            issues: components["schemas"]["Issue"][];
        };
        RegistrationSettings: {
            enabled: boolean;
            captcha: components["schemas"]["Captcha"] | null;
        };
        RegistrationSettingsChanges: {
            enabled?: boolean;
            captcha?: components["schemas"]["CaptchaChanges"] | null;
        };
        RegistrationStudent: {
            id?: string;
            branchId?: string;
            studentNumber?: string;
            firstName?: string;
            lastName?: string;
            email?: string | null;
            phone?: string | null;
            nationalId?: string | null;
            birthDate?: string | null;
            gender?: ("male" | "female" | "other") | null;
            address?: components["schemas"]["Address"] | null;
            tags?: string[] | null;
            notes?: string | null;
            groups?: components["schemas"]["RegistrationGroup"][];
            lines?: components["schemas"]["NewFirstInvoiceLine"][];
        };
        RemindedInvoices: {
            done: string[];
            refused: components["schemas"]["InvoiceNotReminded"][];
            unreached: components["schemas"]["Unreached"][];
        };
        Renewal: {
            currentPeriodEnd: string;
        };
        ReplacedInvoice: {
            id: string;
            payerGuardianId: string | null;
            payerName: string | null;
            reason: string | null;
            replacedAt: string;
        };
        Replacement: {
            cheques?: components["schemas"]["NewCheque"][];
            method?: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
            reference?: string;
            receivedAt?: string;
        };
        ReportAttendance: {
            present: number;
            absent: number;
            late: number;
            excused: number;
            rate: number | null;
        };
        RetriedJobs: {
            name: string;
            retried: number;
            failed: number;
        };
        RetriedStuckMessages: {
            waiting: number;
            failed: number;
            kept: number;
        };
        RetryStuckMessages: {
            channel: "email" | "sms" | "whatsapp" | "push";
        };
        Role: {
            id: string;
            key: string | null;
            name: string;
            description: string | null;
            isSystem: boolean;
            permissions: components["schemas"]["Permission"][];
            asksSecondFactor: boolean;
            version: number;
            createdAt: string;
            updatedAt: string;
        };
        RoleChanges: {
            name?: string;
            description?: string | null;
            permissions?: components["schemas"]["Permission"][];
            asksSecondFactor?: boolean;
            version?: number;
        };
        RolePage: {
            data: components["schemas"]["Role"][];
            nextCursor: string | null;
        };
        RolePreview: {
            accessToken: string;
            expiresAt: string;
        };
        RoleSummary: {
            roleId: string;
            roleName: string;
            roleKey: string | null;
        };
        Rollover: {
            dryRun: boolean;
            startsOn: string;
            endsOn: string;
            isDone: boolean;
            kept: number;
            quota: components["schemas"]["RolloverQuota"] | null;
            groups: components["schemas"]["RolloverGroup"][];
        };
        RolloverClash: {
            kind: "teacher" | "room";
            weekday: number;
            startTime: string;
            endTime: string;
            groupId: string | null;
            groupName: string;
        };
        RolloverException: {
            groupId: string;
            studentId: string;
        };
        RolloverGroup: {
            groupId: string;
            formerName: string;
            newGroupId: string | null;
            name: string;
            courseName: string;
            branchId: string;
            endsOn: string;
            teacher: components["schemas"]["RolloverTeacher"] | null;
            times: components["schemas"]["RolloverTime"][];
            lessons: number;
            closedLessons: number;
            clashes: components["schemas"]["RolloverClash"][];
            fees: string[];
            capacity: number | null;
            kept: number;
            students: components["schemas"]["RolloverStudent"][];
        };
        RolloverName: {
            groupId: string;
            name: string;
        };
        RolloverQuota: {
            limit: number;
            current: number;
        };
        RolloverStudent: {
            studentId: string;
            name: string;
            leftOut: ("paused" | "withdrawn" | "graduated" | "already_enrolled" | "left_before_end" | "group_full" | "not_chosen") | null;
            priceMinor: number;
            currency: components["schemas"]["Currency"];
        };
        RolloverTeacher: {
            staffId: string;
            name: string;
            isKept: boolean;
        };
        RolloverTime: {
            weekday: number;
            startTime: string;
            endTime: string;
        };
        Roster: {
            sessionId: string;
            groupId: string;
            scheduledStart: string;
            status: "scheduled" | "held" | "cancelled";
            cancelReason: string | null;
            version: number;
            entries: components["schemas"]["RosterEntry"][];
        };
        RosterEntry: {
            studentId: string;
            firstName: string;
            lastName: string;
            status: components["schemas"]["AttendanceStatus"] | null;
            minutesLate: number;
            note: string | null;
            markedAt: string | null;
            announced: components["schemas"]["AnnouncedOnRoster"] | null;
            isWalkIn: boolean;
        };
        RotatedSecret: {
            secret: string;
            previousSecretExpiresAt: string | null;
        };
        ScheduleConflict: {
            sessionId: string;
            otherSessionId: string;
            kind: "room" | "student" | "teacher";
            from: string;
            to: string;
        };
        ScheduleConflictPage: {
            data: components["schemas"]["ScheduleConflict"][];
            nextCursor: string | null;
        };
        ScheduleRule: {
            id: string;
            groupId: string;
            weekday: number;
            startTime: string;
            endTime: string;
            validFrom: string;
            validTo: string | null;
        };
        ScheduledSession: {
            sessionId: string;
            groupId: string;
            groupName: string;
            room: string | null;
            courseId: string;
            courseName: string;
            scheduledStart: string;
            scheduledEnd: string;
            status: "scheduled" | "held" | "cancelled";
            cancelReason: string | null;
            topic: string | null;
            homework: components["schemas"]["Homework"] | null;
            fileCount: number;
            relation: "teacher" | "student" | "guardian";
            studentId: string | null;
        };
        SearchResult: {
            type: components["schemas"]["SearchedType"];
            id: string;
            label: string;
            sublabel: string | null;
        };
        SearchResults: {
            query: string;
            results: components["schemas"]["SearchResult"][];
            truncatedTypes: components["schemas"]["SearchedType"][];
        };
        SearchedType: "student" | "guardian" | "staff" | "group" | "course" | "invoice" | "receipt" | "credit_note" | "refund";
        SecondFactor: {
            isOn: boolean;
            since: string | null;
            recoveryCodesLeft: number;
            isAsked: boolean;
        };
        SecondStepOfLogin: {
            ticket: string;
            code: string;
        };
        SecretRotation: {
            /**
             * Format: int64
             * @default 86400
             */
            overlapSec?: number;
        };
        SectionChanges: {
            title?: string;
            version?: number;
        };
        SectionWithLessons: {
            id: string;
            courseId: string;
            title: string;
            sortOrder: number;
            version: number;
            createdAt: string;
            updatedAt: string;
            lessons: components["schemas"]["Lesson"][];
        };
        Sections: {
            data: components["schemas"]["CurriculumSection"][];
        };
        SeenAddress: {
            address: string;
            origin: string;
        };
        SentProgressReports: {
            done: string[];
            refused: components["schemas"]["ProgressReportNotSent"][];
        };
        ServedCertificate: {
            names: string[];
            validUntil: string;
        };
        ServerAddress: {
            url: string;
            isFixed: boolean;
            whose: "own" | "loopback" | "strange" | "unknown";
            leadsTo: string[];
            here: string[];
            ways: components["schemas"]["ServerWay"][];
        };
        ServerHealth: {
            at: string;
            findings: components["schemas"]["HealthFinding"][];
        };
        ServerHttps: {
            isFixed: boolean;
            way: "off" | "local" | "public" | "vendor";
            name: string | null;
            leads: boolean;
            addresses: string[];
            hasPlainPort: boolean;
            certificate: components["schemas"]["ServedCertificate"] | null;
            root: components["schemas"]["LocalRoot"] | null;
            order: components["schemas"]["CertificateOrder"] | null;
            vendorName: components["schemas"]["VendorName"] | null;
            nextOrderAt: string | null;
            isOrdering: boolean;
        };
        ServerHttpsChoice: {
            way: "off" | "local" | "public" | "vendor";
            name: string | null;
            leads: boolean;
        };
        ServerLanName: {
            name: string | null;
            wanted: string | null;
            isFixed: boolean;
            isPossible: boolean;
            former: components["schemas"]["FormerLanName"][];
        };
        ServerLanNameChoice: {
            name: string;
        };
        ServerRestore: {
            canRestore: boolean;
            step: "none" | "checking" | "restoring" | "failed" | "done";
            reason: ("not_a_backup" | "damaged" | "newer" | "postgres_dump" | "postgres_here" | "needs_key" | "wrong_key" | "no_master_key" | "disk_full" | "set_up_meanwhile" | "interrupted" | "failed") | null;
            detail: string;
            backup: string | null;
            asOf: string | null;
            keptAs: string | null;
        };
        ServerUpdates: {
            version: string;
            isConfigured: boolean;
            obstacle: ("unreachable" | "malformed" | "not_an_update" | "bad_signature" | "keys_gap" | "wrong_channel" | "manifest_expired" | "manifest_rolled_back" | "not_newer" | "from_too_old" | "wrong_machine" | "file_incomplete" | "file_differs" | "no_file" | "disk_full" | "switched_off" | "no_keys" | "not_installed" | "no_systemd" | "container" | "postgres" | "installer_refused" | "went_back" | "power_cut") | null;
            mode: "off" | "tell" | "install";
            hour: number;
            channel: "stable" | "early";
            current: components["schemas"]["CurrentVersion"] | null;
            offer: components["schemas"]["OfferedVersion"] | null;
            isPlanned: boolean;
            check: components["schemas"]["UpdateOutcome"] | null;
            nextCheckAt: string | null;
            install: components["schemas"]["UpdateOutcome"] | null;
            isInstalling: boolean;
        };
        ServerUpdatesChanges: {
            mode?: "off" | "tell" | "install";
            hour?: number;
            channel?: "stable" | "early";
            isPlanned?: boolean;
        };
        ServerWay: {
            url: string;
            isLocal: boolean;
        };
        Session: {
            id: string;
            groupId: string;
            scheduledStart: string;
            scheduledEnd: string;
            status: "scheduled" | "held" | "cancelled";
            teacherStaffId: string | null;
            topic: string | null;
            homework: components["schemas"]["Homework"] | null;
            notes: string | null;
            lessonId: string | null;
            cancelReason: string | null;
            cancelledBy: ("hand" | "group" | "closure") | null;
            closureId: string | null;
            createdAt: string;
            updatedAt: string;
        };
        SessionChanges: {
            status?: "cancelled";
            reason?: string;
            topic?: string | null;
            homework?: components["schemas"]["NewHomework"] | null;
            notes?: string | null;
            teacherStaffId?: string | null;
            lessonId?: string | null;
            scheduledStart?: string;
            scheduledEnd?: string;
        };
        SessionGeneration: {
            until?: string;
        };
        SessionPage: {
            data: components["schemas"]["Session"][];
            nextCursor: string | null;
        };
        SetUpSteps: {
            branches: boolean;
            people: boolean;
            course: boolean;
            group: boolean;
            fees: boolean;
        };
        Settings: {
            name: string;
            defaultLocale: components["schemas"]["Locale"];
            timezone: string;
            currency: components["schemas"]["Currency"];
            baseUrl: string | null;
            invoiceDueDays: number;
            applyCredit: boolean;
            siblingDiscounts: components["schemas"]["SiblingDiscount"][];
            offerDays: number;
            teacherMessagesPerDay: number;
            reportsApproval: boolean;
            invoiceFooter: string | null;
            terms: components["schemas"]["Term"][];
            attendance: components["schemas"]["AttendanceSettings"];
            curriculum: components["schemas"]["CurriculumSettings"];
            registration: components["schemas"]["RegistrationSettings"];
            papers: components["schemas"]["PaperSettings"];
            quietHours: components["schemas"]["QuietHours"] | null;
            quietDays: components["schemas"]["QuietDays"];
            branding: components["schemas"]["Branding"];
            version: number;
        };
        SettingsChanges: {
            name?: string;
            defaultLocale?: components["schemas"]["Locale"];
            timezone?: string;
            currency?: components["schemas"]["Currency"];
            baseUrl?: string | null;
            invoiceDueDays?: number;
            applyCredit?: boolean;
            siblingDiscounts?: components["schemas"]["NewSiblingDiscount"][];
            offerDays?: number;
            teacherMessagesPerDay?: number;
            reportsApproval?: boolean;
            invoiceFooter?: string | null;
            terms?: components["schemas"]["NewTerm"][];
            attendance?: components["schemas"]["AttendanceSettingsChanges"];
            curriculum?: components["schemas"]["CurriculumSettingsChanges"];
            registration?: components["schemas"]["RegistrationSettingsChanges"];
            papers?: components["schemas"]["PaperSettingsChanges"];
            quietHours?: components["schemas"]["NewQuietHours"] | null;
            quietDays?: components["schemas"]["QuietDaysChanges"];
            branding?: components["schemas"]["BrandingChanges"];
            version?: number;
        };
        SetupStatus: {
            deploymentMode: "cloud" | "self_hosted";
            needsSetup: boolean;
        };
        SiblingDiscount: {
            child: number;
            percent: number;
        };
        SignInSession: {
            id: string;
            client: "web" | "mobile";
            ip: string | null;
            userAgent: string | null;
            createdAt: string;
            lastUsedAt: string;
            current: boolean;
        };
        SignInSessionPage: {
            data: components["schemas"]["SignInSession"][];
            nextCursor: string | null;
        };
        SignedIn: {
            accessToken: string;
            refreshToken?: string;
            user: components["schemas"]["UserSummary"];
            memberships: components["schemas"]["MembershipSummary"][];
            activeTenantId: string | null;
        };
        SignedInByCode: {
            accessToken: string;
            refreshToken?: string;
            user: components["schemas"]["UserSummary"];
            memberships: components["schemas"]["MembershipSummary"][];
            activeTenantId: string | null;
            recoveryCodesLeft: number | null;
        };
        SinceBackup: {
            changes: number;
            students: number;
            invoices: number;
            payments: number;
        };
        SkippedCount: {
            reason: "paused" | "group_cancelled" | "group_over" | "group_not_begun" | "enrolled_later" | "left_before" | "already_billed" | "invoiced_by_hand" | "may_be_billed" | "no_price" | "no_term" | "invoice_too_large" | "sums_full";
            count: number;
        };
        SkippedFee: {
            studentId: string;
            feeScheduleId: string;
            reason: "paused" | "group_cancelled" | "group_over" | "group_not_begun" | "enrolled_later" | "left_before" | "already_billed" | "invoiced_by_hand" | "may_be_billed" | "no_price" | "no_term" | "invoice_too_large" | "sums_full";
            mayBe: components["schemas"]["MayBeBilled"] | null;
            studentName: string;
        };
        SkippedRecipient: {
            recipient: string;
            reason: string;
        };
        Staff: {
            id: string;
            branchId: string;
            userId: string | null;
            firstName: string;
            lastName: string;
            fullName: string;
            email: string | null;
            phone: string | null;
            title: string | null;
            isActive: boolean;
            version: number;
            createdAt: string;
            updatedAt: string;
        };
        StaffChanges: {
            branchId?: string;
            firstName?: string;
            lastName?: string;
            email?: string | null;
            phone?: string | null;
            title?: string | null;
            userId?: string | null;
            isActive?: boolean;
            version?: number;
        };
        StaffHoursReport: {
            from: string;
            to: string;
            lessons: number;
            minutes: number;
            data: components["schemas"]["StaffHoursRow"][];
            nextCursor: string | null;
        };
        StaffHoursRow: {
            month: string;
            teacherStaffId: string | null;
            teacherName: string | null;
            lessons: number;
            minutes: number;
        };
        StaffInvitation: {
            email?: string;
            roleId?: string;
            branchIds?: string[];
        };
        StaffPage: {
            data: components["schemas"]["Staff"][];
            nextCursor: string | null;
        };
        Statement: {
            studentId: string;
            currency: components["schemas"]["Currency"];
            openingBalance: components["schemas"]["Money"];
            entries: components["schemas"]["StatementEntry"][];
            closingBalance: components["schemas"]["Money"];
            held: components["schemas"]["Money"];
            payers: components["schemas"]["StatementPayer"][];
            footer: string | null;
        };
        StatementEntry: {
            date: string;
            kind: "invoice" | "payment" | "credit" | "credit_note" | "reversal" | "void";
            reference: string;
            debit: components["schemas"]["Money"];
            credit: components["schemas"]["Money"];
            balance: components["schemas"]["Money"];
        };
        StatementPayer: {
            guardianId: string | null;
            name: string | null;
            balance: components["schemas"]["Money"];
        };
        StuckChannels: {
            channels: components["schemas"]["StuckMessages"][];
        };
        StuckMessages: {
            channel: "email" | "sms" | "whatsapp" | "push";
            waiting: number;
            failed: number;
            kept: number;
            since: string;
            reason: string;
        };
        Student: {
            id: string;
            branchId: string;
            studentNumber: string;
            firstName: string;
            lastName: string;
            fullName: string;
            status: "lead" | "active" | "paused" | "graduated" | "withdrawn";
            createdAt: string;
        };
        StudentAttendance: {
            sessionId: string;
            groupId: string;
            scheduledStart: string;
            status: components["schemas"]["AttendanceStatus"];
            minutesLate: number;
            note: string | null;
            markedAt: string;
        };
        StudentAttendancePage: {
            data: components["schemas"]["StudentAttendance"][];
            nextCursor: string | null;
        };
        StudentAttendanceSummary: {
            studentId: string;
            firstName: string;
            lastName: string;
            present: number;
            absent: number;
            late: number;
            excused: number;
            totalHeld: number;
            rate: number | null;
        };
        StudentChanges: {
            branchId?: string;
            firstName?: string;
            lastName?: string;
            email?: string | null;
            phone?: string | null;
            nationalId?: string | null;
            birthDate?: string | null;
            gender?: ("male" | "female" | "other") | null;
            address?: components["schemas"]["Address"] | null;
            tags?: string[] | null;
            notes?: string | null;
            userId?: string | null;
            version?: number;
        };
        StudentDetail: {
            id: string;
            branchId: string;
            studentNumber: string;
            firstName: string;
            lastName: string;
            fullName: string;
            status: "lead" | "active" | "paused" | "graduated" | "withdrawn";
            createdAt: string;
            email: string | null;
            phone: string | null;
            nationalId: string | null;
            birthDate: string | null;
            gender: ("male" | "female" | "other") | null;
            address: components["schemas"]["Address"] | null;
            tags: string[];
            notes: string | null;
            userId: string | null;
            pausedFrom: string | null;
            pausedTo: string | null;
            leftOn: string | null;
            leavingAs: ("graduated" | "withdrawn") | null;
            erasedAt: string | null;
            version: number;
            updatedAt: string;
        };
        StudentExamResult: {
            id: string;
            examId: string;
            studentId: string;
            score: number | null;
            isAbsent: boolean;
            remarks: string | null;
            gradedByUserId: string | null;
            createdAt: string;
            updatedAt: string;
            groupName: string;
            exam: components["schemas"]["ExamSummary"];
        };
        StudentExamResultPage: {
            data: components["schemas"]["StudentExamResult"][];
            nextCursor: string | null;
        };
        StudentMerge: {
            dryRun: boolean;
            moves: components["schemas"]["MergeCount"][];
            against: components["schemas"]["MergeCount"][];
            student: components["schemas"]["StudentDetail"] | null;
        };
        StudentOfRegistration: {
            student: components["schemas"]["StudentDetail"] | null;
            isNew: boolean;
            link: components["schemas"]["GuardianLink"] | null;
            knownStudents: components["schemas"]["Student"][];
            enrollments: components["schemas"]["Enrollment"][];
            invoices: components["schemas"]["FirstInvoice"][];
        };
        StudentPage: {
            data: components["schemas"]["Student"][];
            nextCursor: string | null;
        };
        StudentProgress: {
            studentId: string;
            studentName: string;
            attendance: components["schemas"]["ReportAttendance"];
            exams: components["schemas"]["ExamFigure"][];
            average: number | null;
            report: components["schemas"]["ProgressReport"] | null;
        };
        StudentStatusChange: {
            status: "lead" | "active" | "paused" | "graduated" | "withdrawn";
            reason?: string;
            pausedFrom?: string;
            pausedTo?: string;
            leftOn?: string;
        };
        StudentStatusConsequences: {
            status: "lead" | "active" | "paused" | "graduated" | "withdrawn";
            groups: components["schemas"]["GroupOfStudent"][];
            fees: components["schemas"]["FeesOfMonth"] | null;
            paidAhead: components["schemas"]["Money"][];
        };
        SubmittedProgressReports: {
            done: string[];
            refused: components["schemas"]["ProgressReportNotSubmitted"][];
        };
        Subscription: {
            id: string;
            tenantId: string;
            planId: string;
            status: "trialing" | "active" | "past_due" | "cancelled" | "expired";
            currentPeriodStart: string;
            currentPeriodEnd: string;
            cancelledAt: string | null;
            createdAt: string;
            updatedAt: string;
        };
        SubscriptionChanges: {
            planId?: string;
            status?: "trialing" | "active" | "past_due" | "cancelled" | "expired";
            currentPeriodEnd?: string;
        };
        SubscriptionPage: {
            data: components["schemas"]["Subscription"][];
            nextCursor: string | null;
        };
        TeacherBudget: {
            most: number;
            left: number;
            opensAt: string;
        };
        TeachingDay: {
            date: string;
            timezone: string;
            staffId: string | null;
            sessions: components["schemas"]["TeachingSession"][];
            unmarkedBacklog: components["schemas"]["UnmarkedSession"][];
        };
        TeachingSession: {
            sessionId: string;
            groupId: string;
            groupName: string;
            room: string | null;
            courseId: string;
            courseName: string;
            scheduledStart: string;
            scheduledEnd: string;
            status: "scheduled" | "held" | "cancelled";
            cancelReason: string | null;
            rosterCount: number;
            markedCount: number;
            attendanceState: "unmarked" | "partial" | "complete";
        };
        TellAllByHand: {
            sourceId: string;
            how: "call" | "whatsapp" | "sms" | "other" | "not_needed";
        };
        TellByHand: {
            how: "call" | "whatsapp" | "sms" | "other" | "not_needed";
        };
        Tenant: {
            id: string;
            slug: string;
            name: string;
            status: "active" | "suspended" | "archived";
            defaultLocale: components["schemas"]["Locale"];
            timezone: string;
            currency: components["schemas"]["Currency"];
            deploymentMode: "cloud" | "self_hosted";
            autoLockOverride: "inherit" | "on" | "off";
            lockedAt: string | null;
            lockedReason: string | null;
            lockedByPlatformAdminId: string | null;
            createdBy: string | null;
            features: components["schemas"]["FeatureOverrides"];
            createdAt: string;
            updatedAt: string;
        };
        TenantChanges: {
            name?: string;
            defaultLocale?: components["schemas"]["Locale"];
            timezone?: string;
            currency?: components["schemas"]["Currency"];
            autoLockOverride?: "inherit" | "on" | "off";
            features?: components["schemas"]["FeatureOverrideChanges"];
        };
        TenantCounts: {
            members: number;
            branches: number;
        };
        TenantDomain: {
            id: string;
            tenantId: string;
            domain: string;
            kind: "subdomain" | "custom";
            verificationToken: string;
            verifiedAt: string | null;
            isPrimary: boolean;
            createdAt: string;
            updatedAt: string;
        };
        TenantDomainPage: {
            data: components["schemas"]["TenantDomain"][];
            nextCursor: string | null;
        };
        TenantFeatures: {
            basic_reports: boolean;
            advanced_reports: boolean;
            integration_api: boolean;
            mcp: boolean;
            custom_domain: boolean;
            whatsapp_notifications: boolean;
            sms_notifications: boolean;
            byo_email_provider: boolean;
            byo_push_provider: boolean;
            courses_video: boolean;
        };
        TenantLock: {
            reason: string;
        };
        TenantOverview: {
            tenant: components["schemas"]["Tenant"];
            subscription: components["schemas"]["Subscription"] | null;
            features: components["schemas"]["TenantFeatures"];
            domains: components["schemas"]["TenantDomain"][];
            counts: components["schemas"]["TenantCounts"];
        };
        TenantSelection: {
            tenantId: string | null;
        };
        Term: {
            name: string;
            startsOn: string;
        };
        TillClose: {
            id: string;
            userId: string;
            userName: string;
            branchId: string | null;
            since: string;
            closedAt: string;
            hasDifference: boolean;
            lines: components["schemas"]["TillCloseLine"][];
            held: components["schemas"]["ChequesOfClose"][];
            note: string | null;
        };
        TillCloseLine: {
            method: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
            expected: components["schemas"]["Money"];
            counted: components["schemas"]["Money"];
            difference: components["schemas"]["Money"];
            entries: number;
        };
        TillClosePage: {
            data: components["schemas"]["TillClose"][];
            nextCursor: string | null;
        };
        TillEntry: {
            id: string;
            kind: "received" | "reversed" | "refunded" | "held" | "given_back";
            method: "cash" | "card" | "bank_transfer" | "cheque" | "online" | "other";
            amount: components["schemas"]["Money"];
            number: string | null;
            payerName: string | null;
            receiptId: string | null;
            createdAt: string;
        };
        TillEntryPage: {
            data: components["schemas"]["TillEntry"][];
            nextCursor: string | null;
        };
        TimetableSession: {
            id: string;
            groupId: string;
            scheduledStart: string;
            scheduledEnd: string;
            status: "scheduled" | "held" | "cancelled";
            teacherStaffId: string | null;
            topic: string | null;
            homework: components["schemas"]["Homework"] | null;
            notes: string | null;
            lessonId: string | null;
            cancelReason: string | null;
            cancelledBy: ("hand" | "group" | "closure") | null;
            closureId: string | null;
            createdAt: string;
            updatedAt: string;
            groupName: string;
            courseName: string;
            branchId: string;
            room: string | null;
            teacherName: string | null;
            rosterCount: number;
            markedCount: number;
            attendanceState: "unmarked" | "partial" | "complete";
        };
        TimetableSessionPage: {
            data: components["schemas"]["TimetableSession"][];
            nextCursor: string | null;
        };
        TodaySession: {
            id: string;
            groupName: string;
            start: string;
            room: string | null;
        };
        TokenRefresh: {
            refreshToken?: string;
        };
        ToldByHand: {
            told: number;
        };
        UnchargedFee: {
            feeScheduleId: string;
            name: string;
            reason: "inactive" | "at_registration" | "by_hand" | "not_in_month" | "nobody";
        };
        UnmarkedSession: {
            sessionId: string;
            groupId: string;
            groupName: string;
            scheduledStart: string;
            scheduledEnd: string;
            rosterCount: number;
        };
        UnmarkedSessions: {
            count: number;
            latest: components["schemas"]["UnmarkedSession"][];
        };
        Unreached: {
            invoiceId: string;
            recipient: components["schemas"]["UnreachedPerson"];
            because: "no_address" | "not_set_up" | "opted_out" | "text_off";
            canCall: boolean;
        };
        UnreachedPerson: {
            kind: "guardian" | "student" | "staff" | "user";
            id: string;
            name: string;
        };
        UnreachedRecipient: {
            recipient: components["schemas"]["UnreachedPerson"];
            because: "no_address" | "not_set_up" | "opted_out" | "text_off";
            canCall: boolean;
        };
        UnreadNotifications: {
            unread: number;
        };
        UpdateOutcome: {
            at: string;
            result: "ok" | "failed" | "skipped";
            reason: ("unreachable" | "malformed" | "not_an_update" | "bad_signature" | "keys_gap" | "wrong_channel" | "manifest_expired" | "manifest_rolled_back" | "not_newer" | "from_too_old" | "wrong_machine" | "file_incomplete" | "file_differs" | "no_file" | "disk_full" | "switched_off" | "no_keys" | "not_installed" | "no_systemd" | "container" | "postgres" | "installer_refused" | "went_back" | "power_cut") | null;
            detail: string;
            version: string | null;
        };
        UploadAddress: {
            storageKey: string;
            uploadUrl: string;
            expiresAt: string;
        };
        UploadCompletion: {
            fileId?: string;
            storageKey: string;
            sha256: string;
            kind: "avatar" | "document" | "report" | "attachment";
            originalName: string;
            mimeType: "image/jpeg" | "image/png" | "image/webp" | "image/gif" | "application/pdf" | "application/vnd.openxmlformats-officedocument.wordprocessingml.document" | "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" | "application/vnd.oasis.opendocument.spreadsheet" | "application/vnd.ms-excel" | "text/csv" | "text/tab-separated-values";
            sizeBytes: number;
            entityType?: string;
            entityId?: string;
        };
        UploadRequest: {
            kind: "avatar" | "document" | "report" | "attachment";
            originalName: string;
            mimeType: "image/jpeg" | "image/png" | "image/webp" | "image/gif" | "application/pdf" | "application/vnd.openxmlformats-officedocument.wordprocessingml.document" | "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" | "application/vnd.oasis.opendocument.spreadsheet" | "application/vnd.ms-excel" | "text/csv" | "text/tab-separated-values";
            sizeBytes: number;
        };
        UserProfile: {
            id: string;
            email: string;
            fullName: string;
            phone: string | null;
            locale: components["schemas"]["Locale"];
            avatarFileId: string | null;
            status: "active" | "disabled";
            emailVerified: boolean;
        };
        UserSummary: {
            id: string;
            email: string;
            fullName: string;
            locale: components["schemas"]["Locale"];
            status: "active" | "disabled";
            emailVerified: boolean;
        };
        VendorName: {
            name: string | null;
            leads: ("here" | "elsewhere" | "nowhere") | null;
            askedAt: string | null;
            failure: components["schemas"]["VendorNameFailure"] | null;
        };
        VendorNameFailure: {
            at: string;
            reason: "no_name" | "name_is_local" | "name_leads_nowhere" | "unreachable" | "not_reached" | "other_answers" | "name_refused" | "too_often" | "authority" | "no_license" | "vendor_unreachable" | "vendor_has_none" | "not_known_yet" | "license_refused" | "license_locked" | "license_ended" | "too_many_names" | "clock_wrong" | "vendor_failed" | "no_lan_address";
            detail: string;
        };
        VerificationRequest: {
            email: string;
        };
        VersionNews: {
            ar: string[];
            he: string[];
            en: string[];
        };
        VideoLink: {
            url: string;
        };
        VoidedRun: {
            id: string;
            voided: string[];
            kept: string[];
        };
        WaitingEntry: {
            id: string;
            groupId: string;
            studentId: string;
            studentName: string;
            note: string | null;
            position: number;
            status: "waiting" | "offered" | "lapsed";
            offerEndsAt: string | null;
            createdAt: string;
        };
        WaitingEntryPage: {
            data: components["schemas"]["WaitingEntry"][];
            nextCursor: string | null;
        };
        WaitingOrder: {
            entryIds: string[];
        };
        WalkIn: {
            sessionId: string;
            groupId: string;
            groupName: string;
            scheduledStart: string;
            studentId: string;
            studentName: string;
            status: components["schemas"]["AttendanceStatus"];
            note: string | null;
            addedAt: string;
        };
        WalkInCandidate: {
            studentId: string;
            fullName: string;
            studentNumber: string;
        };
        WalkInCandidates: {
            students: components["schemas"]["WalkInCandidate"][];
        };
        WalkInPage: {
            data: components["schemas"]["WalkIn"][];
            nextCursor: string | null;
        };
        WebhookDelivery: {
            id: string;
            endpointId: string;
            eventId: string;
            eventType: components["schemas"]["EventType"];
            status: components["schemas"]["DeliveryStatus"];
            attempts: number;
            lastStatusCode: number | null;
            responseExcerpt: string | null;
            nextAttemptAt: string | null;
            deliveredAt: string | null;
            createdAt: string;
        };
        WebhookDeliveryPage: {
            data: components["schemas"]["WebhookDelivery"][];
            nextCursor: string | null;
        };
        WebhookEndpoint: {
            id: string;
            url: string;
            events: components["schemas"]["EventType"][];
            isActive: boolean;
            failureCount: number;
            disabledAt: string | null;
            previousSecretExpiresAt: string | null;
            createdAt: string;
        };
        WebhookEndpointChanges: {
            url?: string;
            events?: components["schemas"]["EventType"][];
            isActive?: boolean;
        };
        WebhookEndpointPage: {
            data: components["schemas"]["WebhookEndpoint"][];
            nextCursor: string | null;
        };
        WebhookHeader: {
            name: string;
            value: string | null;
        };
        WebhookSending: {
            body: string;
            headers: components["schemas"]["WebhookHeader"][];
        };
        WebhookTestResult: {
            deliveryId: string;
            statusCode: number | null;
            ok: boolean;
            durationMs: number;
            error: string | null;
        };
    };
    responses: never;
    parameters: {
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

/** The `error.code` of refusals. */
export type Code =
  | 'ACCOUNT_DISABLED'
  | 'ACCOUNT_LOCKED'
  | 'CONFLICT'
  | 'FEATURE_DISABLED'
  | 'FORBIDDEN'
  | 'IDEMPOTENCY_KEY_REQUIRED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INTERNAL_ERROR'
  | 'INVALID_CREDENTIALS'
  | 'INVITATION_INVALID'
  | 'LICENSE_INVALID'
  | 'MALFORMED_REQUEST'
  | 'MEMBERSHIP_INACTIVE'
  | 'NOT_FOUND'
  | 'OAUTH_ACCESS_DENIED'
  | 'OAUTH_CLIENT_NOT_FOUND'
  | 'OAUTH_INVALID_REDIRECT_URI'
  | 'PAYMENT_REQUIRED'
  | 'PERMISSION_ESCALATION'
  | 'QUOTA_EXCEEDED'
  | 'RATE_LIMITED'
  | 'REGISTRATION_DISABLED'
  | 'ROLE_IMMUTABLE'
  | 'SESSION_REVOKED'
  | 'SUBSCRIPTION_SUSPENDED'
  | 'TENANT_NOT_FOUND'
  | 'TENANT_SLUG_TAKEN'
  | 'TENANT_SUSPENDED'
  | 'TOKEN_INVALID'
  | 'UNAUTHORIZED'
  | 'VALIDATION_ERROR'
  | 'VERSION_CONFLICT'
  | 'VIDEO_PROVIDER_UNSUPPORTED'
  | 'VIDEO_URL_INVALID'

/** The `details.reason` of refusals. */
export type Reason =
  | 'above_balance'
  | 'above_credit'
  | 'above_invoice'
  | 'account_barred'
  | 'account_elsewhere'
  | 'account_locked'
  | 'allocations_above_cheques'
  | 'already_bounced'
  | 'already_completed'
  | 'already_converted'
  | 'already_enrolled'
  | 'already_invited'
  | 'already_linked'
  | 'already_member'
  | 'already_offered'
  | 'already_on_roster'
  | 'already_platform_admin'
  | 'already_published'
  | 'already_reversed'
  | 'already_rolled_over'
  | 'already_sent'
  | 'already_subscribed'
  | 'already_told'
  | 'already_waiting'
  | 'approval_needed'
  | 'attendance_changed'
  | 'begins_before_end'
  | 'branch_in_use'
  | 'branch_name_taken'
  | 'cannot_enroll'
  | 'cannot_void'
  | 'category_in_use'
  | 'category_slug_taken'
  | 'cheque_known'
  | 'cheque_moved'
  | 'cheque_named_twice'
  | 'cheque_not_due'
  | 'cheque_stale'
  | 'class_list_not_ready'
  | 'closed_year'
  | 'code_used'
  | 'course_code_taken'
  | 'course_in_use'
  | 'credit_paid_out'
  | 'currency_differs'
  | 'currency_fixed'
  | 'day_closed'
  | 'default_branch'
  | 'disabled_account'
  | 'discounts_above_price'
  | 'dns_no_answer'
  | 'dns_no_name'
  | 'dns_no_record'
  | 'dns_other_value'
  | 'dns_server_failed'
  | 'domain_taken'
  | 'domain_unverified'
  | 'email_not_verified'
  | 'email_taken'
  | 'enrollment_in_use'
  | 'erasure_refused'
  | 'exam_in_use'
  | 'expired'
  | 'fee_schedule_in_use'
  | 'file_in_use'
  | 'group_full'
  | 'group_in_use'
  | 'group_not_full'
  | 'group_told_often'
  | 'groups_cancelled'
  | 'guardian_in_use'
  | 'guardian_phone_taken'
  | 'impersonated'
  | 'import_running'
  | 'invalid_credentials'
  | 'invitation_accepted'
  | 'invoice_named_twice'
  | 'is_reversal'
  | 'job_has_not_failed'
  | 'job_runs'
  | 'lan_name_taken'
  | 'lan_name_unheard'
  | 'last_owner'
  | 'lesson_closed'
  | 'lesson_in_use'
  | 'mail_fixed'
  | 'malformed'
  | 'may_do_more'
  | 'member_disabled'
  | 'merge_refused'
  | 'merge_with_itself'
  | 'merged'
  | 'message_not_stuck'
  | 'needs_invoices'
  | 'no_active_owner'
  | 'no_credit'
  | 'no_license_key'
  | 'no_mail_server'
  | 'no_place_offered'
  | 'no_room_for_backup'
  | 'no_second_factor'
  | 'no_tax_number'
  | 'nobody_meant'
  | 'nobody_reached'
  | 'not_a_draft'
  | 'not_active'
  | 'not_creditable'
  | 'not_failed'
  | 'not_in_group'
  | 'not_in_shekels'
  | 'not_issued'
  | 'not_on_roster'
  | 'not_open'
  | 'not_paid_online'
  | 'not_self_manageable'
  | 'not_submitted'
  | 'not_the_teacher'
  | 'not_yet_accepted'
  | 'nothing_to_close'
  | 'nothing_to_pay'
  | 'nothing_to_send'
  | 'nothing_to_settle'
  | 'notice_refused'
  | 'oauth_access_denied'
  | 'oauth_client_not_found'
  | 'oauth_invalid_redirect_uri'
  | 'one_institute'
  | 'order_changed'
  | 'order_outdated'
  | 'origin_not_allowed'
  | 'other_deposit'
  | 'own_account'
  | 'own_account_link'
  | 'own_groups_only'
  | 'own_membership'
  | 'own_second_factor'
  | 'own_sign_in'
  | 'owner_only'
  | 'paid_by_cheque'
  | 'papers_waiting'
  | 'part_of_digest'
  | 'passkey_invalid'
  | 'passkey_known'
  | 'passkeys_impossible'
  | 'password_protected'
  | 'payer_sees_money'
  | 'payers_differ'
  | 'payment_page_not_opened'
  | 'payment_pages_open'
  | 'payment_pending'
  | 'permission_escalation'
  | 'permission_missing'
  | 'person_erased'
  | 'person_has_account'
  | 'person_sent_often'
  | 'plan_archived'
  | 'plan_code_taken'
  | 'platform_admin_only'
  | 'platform_managed'
  | 'playlist_not_supported'
  | 'preview_ended'
  | 'previewing'
  | 'proposal_changed'
  | 'proposal_not_open'
  | 'provider_not_enabled'
  | 'publishable_key_only'
  | 'push_key_changed'
  | 'quota_exceeded'
  | 'receipt_reaches_further'
  | 'recipient_gone'
  | 'record_sent_often'
  | 'recovery_code_used'
  | 'registration_disabled'
  | 'replacement_differs'
  | 'restore_busy'
  | 'restored_by_postgres'
  | 'results_changed'
  | 'role_immutable'
  | 'role_in_use'
  | 'role_name_taken'
  | 'run_goes_on'
  | 'same_payer'
  | 'scores_above_max'
  | 'second_factor_exists'
  | 'second_factor_needed'
  | 'section_in_use'
  | 'session_ahead'
  | 'session_cancelled'
  | 'session_not_scheduled'
  | 'session_revoked'
  | 'sign_in_ticket_expired'
  | 'signature'
  | 'staff_in_use'
  | 'status_by_conversion'
  | 'status_move_refused'
  | 'still_named'
  | 'still_running'
  | 'student_in_use'
  | 'student_number_taken'
  | 'student_numbers_used_up'
  | 'submitted'
  | 'subscription_cancelled'
  | 'subscription_move_refused'
  | 'sum_too_large'
  | 'sums_full'
  | 'superseded'
  | 'system_role'
  | 'takes_no_payment'
  | 'teachers_do_not_write'
  | 'template_taken'
  | 'tenant_archived'
  | 'tenant_not_found'
  | 'tenant_not_selected'
  | 'tenant_slug_taken'
  | 'terabox_not_enabled'
  | 'till_changed'
  | 'token_invalid'
  | 'too_many_categories'
  | 'too_many_domains'
  | 'too_many_endpoints'
  | 'too_many_imports'
  | 'too_many_lessons'
  | 'too_many_passkeys'
  | 'too_many_sections'
  | 'too_many_templates'
  | 'too_many_wrong_codes'
  | 'too_many_wrong_passwords'
  | 'unknown_host'
  | 'update_busy'
  | 'update_not_taken'
  | 'user_only'
  | 'user_taken'
  | 'value_taken'
  | 'version_conflict'
  | 'whole_institute_needed'
  | 'wrong_code'
  | 'wrong_setup_token'
