"""Tables as users and spreadsheets write them: rows, columns, cells, and importing records from them."""
