package server

import (
	"encoding/json"
	"net/http"
	"time"
)

// Routes returns the handler of the whole service.
func Routes(ledger *Ledger) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /loans", func(w http.ResponseWriter, r *http.Request) { handleLend(ledger, w, r) })
	mux.HandleFunc("DELETE /loans/{isbn}", func(w http.ResponseWriter, r *http.Request) { handleReturn(ledger, w, r) })
	return mux
}

type lendRequest struct {
	ISBN   string `json:"isbn"`
	Member string `json:"member"`
}

func handleLend(ledger *Ledger, w http.ResponseWriter, r *http.Request) {
	var request lendRequest
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, "cannot read the request body", http.StatusBadRequest)
		return
	}
	loan, err := ledger.Lend(request.ISBN, request.Member, time.Now())
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	json.NewEncoder(w).Encode(loan)
}

func handleReturn(ledger *Ledger, w http.ResponseWriter, r *http.Request) {
	cents := ledger.Return(r.PathValue("isbn"), time.Now())
	json.NewEncoder(w).Encode(map[string]int{"fee_cents": cents})
}
